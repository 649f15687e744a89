import { expect } from 'chai';
import { nextLabels } from '../../src/text/calibration-text.js';

describe('nextLabels', () => {
  const missing = { passes: 3, fails: 1, more: 80 };
  const labels = (not_labelled: number) => ({ labels: { not_labelled } });

  it('is what was drawn, by the newest rubric, before more is drawn', () => {
    const changed = { rubric_changed: true as const, missing };
    expect(nextLabels({ ...changed, ...labels(5) }, 50)).to.deep.equal({ kind: 'newest' });
    const { missing: _, ...told } = { ...changed, ...labels(0) };
    expect(nextLabels(told, 50)).to.deep.equal({ kind: 'newest' });
    expect(nextLabels({ missing, ...labels(5) }, 50)).to.deep.equal({ kind: 'drawn', count: 5 });
    expect(nextLabels({ missing, ...labels(0) }, 50)).to.deep.equal({
      ...{ kind: 'more', count: 50, of: 80 },
    });
    expect(nextLabels({ missing, ...labels(0) }, 0)).to.deep.equal({ kind: 'none' });
    expect(nextLabels(labels(5), 50)).to.equal(undefined);
  });
});
