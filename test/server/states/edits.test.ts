import { expect } from 'chai';
import type { ServedProject } from '../../helpers/served-project.js';
import {
  expectRefused,
  gradeSlowly,
  openGate,
  serveGated,
  startAndWait,
  statuses,
  untilState,
} from './gated-project.js';

function annotate(served: ServedProject, index: number, annotation: string, run = 'latest') {
  return served.patch(`/api/runs/${run}/results/${index}`, { result: { annotation } });
}

describe('edits', () => {
  it('of a run that has not started are refused, and of a result that it has not are not found', async () => {
    const served = await serveGated();
    expectRefused(await annotate(served, 0, 'early'), 409, 'has not started');
    expectRefused(await annotate(served, 4, 'early'), 404);
    expect((await served.active()).results[0].result.annotation).to.equal('');
  });

  it('during a run survive it, whether the result is running, pending or has finished', async () => {
    const served = await serveGated();
    const { run_id } = await startAndWait(served);
    openGate(served, 'a');
    await served.until((run) => statuses(run)[0] === 'completed');
    for (const [index, note] of ['finished', 'running', 'running', 'pending'].entries()) {
      expect((await annotate(served, index, note)).status).to.equal(200);
    }
    const scores = [
      { key: 'good', passed: false },
      { key: 'mine', value: 3 },
    ];
    const scored = await served.patch('/api/runs/latest/results/0', { result: { scores } });
    expect(scored.status).to.equal(200);
    openGate(served);
    const run = await untilState(served, 'finished');
    expect(statuses(run)).to.deep.equal(Array(4).fill('completed'));
    expect(
      run.results.map(({ result }: { result: { annotation: string } }) => result.annotation),
    ).to.deep.equal(['finished', 'running', 'running', 'pending']);
    expect(run.results[0].result.scores).to.deep.equal([
      { key: 'good', passed: false, source: 'human' },
      { key: 'mine', value: 3, source: 'human' },
    ]);
    expect(run.total_passed).to.equal(3);
    const exported = await served.project.assay(['export', run_id, '-f', 'json']);
    expect(exported.json().results).to.deep.equal(run.results);
  });

  it('during a regrade survive it, and a person has the last word on a score', async () => {
    const served = await serveGated();
    openGate(served);
    await served.runAll();
    gradeSlowly(served);
    expect((await served.post('/api/runs/regrade', {})).status).to.equal(200);
    const scores = [{ key: 'good', passed: false }];
    const edit = { result: { annotation: 'odd', scores } };
    expect((await served.patch('/api/runs/latest/results/1', edit)).status).to.equal(200);
    served.project.write('graded', '');
    const run = await untilState(served, 'finished');
    expect(run.results[1].result).to.include({ annotation: 'odd' });
    expect(run.results[1].result.scores).to.deep.equal([
      { key: 'good', passed: false, source: 'human' },
    ]);
  });

  it('from forty clients at once are all kept, each with an entry in the history', async () => {
    const served = await serveGated();
    await startAndWait(served);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => annotate(served, n % 4, `note ${n}`)),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(40).fill(200));
    openGate(served);
    const run = await untilState(served, 'finished');
    const kept: string[] = [];
    for (const { result } of run.results) {
      const afters = result.correction_history.map(({ after }: { after: string }) => after);
      expect(afters).to.have.lengthOf(10);
      expect(result.annotation).to.equal(afters.at(-1));
      kept.push(...afters);
    }
    expect(kept).to.have.members(Array.from({ length: 40 }, (_, n) => `note ${n}`));
  });
});
