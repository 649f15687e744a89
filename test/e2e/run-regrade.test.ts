import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { ProjectWithoutHosts } from '../helpers/project.js';
import { soundRun } from '../helpers/run-shape.js';

/** An eval file whose target notes each call in the file `calls`; `grading` is an evaluator and a body. */
function evals(grading: { evaluator: string; body?: string; input?: string; target?: string }) {
  return `
import { appendFileSync } from 'node:fs';
import { evaluation } from 'assay';
export const graded = evaluation({
  metadata: { level: 1 },
  cases: ['a', 'b', 'broken'].map((id) => ({ id, input: '${grading.input ?? 'first'} ' + id, reference: id })),
  target: (ctx) => {
    appendFileSync('calls', 'called\\n');
    if (ctx.caseId === 'broken') throw new Error('no output');
    ctx.traceData.traceUrl = 'https://traces.example/' + ctx.caseId;
    return '${grading.target ?? 'one'} ' + ctx.caseId;
  },
  evaluators: [${grading.evaluator}],
}, ${grading.body ?? 'undefined'});
export const bodyOnly = evaluation({}, (ctx) => { appendFileSync('calls', 'body\\n'); });
`;
}

const strict = { evaluator: 'function short() { return false; }' };

function scoresOf(run: RunJson) {
  return run.results.map((entry) => entry.result.scores);
}

describe('assay run --regrade', () => {
  it('grades what is stored with today’s evaluators and calls no target', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals(strict) });
    const first = await soundRun(project);
    expect(first.results.map((entry) => entry.regradable)).to.deep.equal([
      true,
      true,
      undefined,
      undefined,
    ]);
    project.newLines('calls');
    const seen = `function sees(args) {
      return { key: 'seen', passed: true, notes: JSON.stringify([args.input, args.output, args.reference, args.metadata, args.traceData]) };
    }`;
    project.write('a.eval.ts', evals({ evaluator: seen, input: 'second', target: 'two' }));
    project.backdate(first.run_id);
    const second = await soundRun(project, '--regrade', 'latest');
    expect(project.newLines('calls')).to.deep.equal([]);
    const { run_id, run_name, session_name } = first;
    expect(second).to.include({ run_id, run_name, session_name, state: 'finished' });
    expect(second.created_at).to.be.at.least(first.created_at);
    expect(second.total_passed).to.equal(3);
    for (const [index, id] of ['a', 'b'].entries()) {
      const before = first.results[index] ?? expect.fail();
      const { scores, correction_history, code, ...rest } =
        second.results[index]?.result ?? expect.fail();
      const { scores: _, correction_history: __, code: codeBefore, ...restBefore } = before.result;
      expect(rest).to.deep.equal(restBefore);
      expect(code)
        .to.match(/^[0-9a-f]{16}$/)
        .and.not.equal(codeBefore);
      const notes = [
        `first ${id}`,
        `one ${id}`,
        id,
        { level: 1 },
        { traceUrl: `https://traces.example/${id}` },
      ];
      expect(scores).to.deep.equal([{ key: 'seen', passed: true, notes: JSON.stringify(notes) }]);
      expect(correction_history).to.have.lengthOf(1);
      expect(correction_history[0]).to.deep.include({
        field: 'scores',
        before: [{ key: 'short', passed: false }],
        after: scores,
      });
    }
    expect(second.results.slice(2)).to.deep.equal(first.results.slice(2));
    const exported = (await project.assay(['export', run_id])).json();
    expect({ ...exported, skipped_inexact: 0 }).to.deep.equal(second);
  });

  it('writes no history when the grades come out the same, and says what it has left out', async () => {
    const project = new ProjectWithoutHosts({ 'a.eval.ts': evals(strict) });
    const first = await project.run();
    const whole = await project.run(['--regrade', 'latest']);
    expect(whole.run.results).to.deep.equal(first.run.results);
    expect(whole.stderr).to.match(/1 result of evaluations without a target: not graded/);
    const filters = [['a.eval.ts::bodyOnly'], ['a.eval.ts::graded[broken]'], ['--only', 'flaky']];
    for (const flags of filters) {
      const { code, stdout, stderr } = await project.run(['--regrade', first.run.run_id, ...flags]);
      expect(code, stderr).to.equal(0);
      expect(stderr).to.match(/nothing to do|no stored output/);
      expect(stdout).to.equal(whole.stdout);
    }
    project.write('a.eval.ts', evals({ evaluator: 'function short() { return true; }' }));
    const one = await soundRun(project, '--regrade', 'latest', 'a.eval.ts::graded[b]');
    const passed = scoresOf(one).flatMap((scores) => scores.map((score) => score.passed));
    expect(passed).to.deep.equal([false, true, true]);
    const failed = await soundRun(project, '--regrade', 'latest', '--only', 'failed');
    expect(failed.total_passed).to.equal(3);
    expect(failed.results[1]).to.deep.equal(one.results[1]);
  });
});
