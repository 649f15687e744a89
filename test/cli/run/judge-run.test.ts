import { expect } from 'chai';
import { judgeRun } from '../../../src/cli/run/judge-run.js';
import { finished, startedRun, temporaryStore } from '../../store/builders.js';

describe('judgeRun', () => {
  it('cannot judge a run of which results have not finished, cancelled ones included', async () => {
    const owner = await startedRun(await temporaryStore(), 4);
    owner.finish([finished(0)]);
    owner.cancel([1]);
    const gates = { own: [{ kind: 'errors' }, { kind: 'pass-rate', atLeast: 0.5 }], baseline: [] };
    const judge = (own: object) => judgeRun(own as never, owner.run, undefined);
    const unfinished = { verdict: 'cannot-tell', text: '3 of 4 results have not finished' };
    expect(judge(gates).at(-1)).to.deep.equal(unfinished);
    expect(judge({ own: [], baseline: [] })).to.deep.equal([]);
    owner.finish([1, 2, 3].map((index) => finished(index)));
    expect(judge(gates).map(({ verdict }) => verdict)).to.deep.equal(['yes', 'yes']);
    await owner.run.close();
  });
});
