import { expect } from 'chai';
import { nearestRuns } from '../../../ui/src/components/runs/nearest-runs.js';

describe('runs with a name like another', () => {
  const runs = ['brisk-otter', 'brisk-oar', 'hazel-maple', ''].map((run_name, n) => ({
    run_name,
    run_id: `a1b2c3d4e5f${n}`,
  }));
  const near = (text: string) => nearestRuns(text, runs).map(({ run_name }) => run_name);

  it('are at most two changes away, the nearest first', () => {
    expect(near('brisk-oter')).to.deep.equal(['brisk-otter', 'brisk-oar']);
    expect(near('brisk-ottex')).to.deep.equal(['brisk-otter']);
    expect(near('a1b2c3d4e5f2x')).to.deep.equal(['hazel-maple', 'brisk-otter', 'brisk-oar', '']);
    expect(near('nothing')).to.deep.equal([]);
  });
});
