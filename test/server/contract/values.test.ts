import { expect } from 'chai';
import { runProblems } from '../../helpers/run-shape.js';
import { ServedProject } from '../../helpers/served-project.js';

type Run = Awaited<ReturnType<ServedProject['active']>>;

const outcomes = `
import assert from 'node:assert/strict';
import { expect } from 'chai';
import { evaluation } from 'assay';
export const returns = evaluation({ metadata: { a: 1 }, reference: 'r' }, (ctx) => { ctx.output = 'o'; });
export const asserts = evaluation({ evaluators: [function also() { return true; }] }, (ctx) => {
  ctx.output = 'half';
  assert.equal(1, 2, 'one is not two');
});
export const expects = evaluation({ defaultScoreKey: 'agrees' }, () => { expect(1).to.equal(2); });
export const throws = evaluation({}, (ctx) => {
  ctx.output = 'until then';
  ctx.score('early', true);
  throw new TypeError('gone wrong');
});
export const throwingEvaluator = evaluation({
  target: () => 'x',
  evaluators: [function good() { return true; }, function breaks() { throw new Error('cannot'); }],
});
export const nameless = evaluation({ target: () => 'x', evaluators: [() => true, () => 0.5] });
export const ungraded = evaluation({ target: () => 'x' });
export const valued = evaluation({ target: () => 'x', evaluators: [function size() { return 0.25; }] });
export const full = evaluation({ target: () => 'x' }, (ctx) => {
  ctx.score({ key: 'both', passed: false, value: 0.5, notes: 'so so' });
  ctx.score('both', true, 'replaced');
});
`;

describe('the contract: values', () => {
  describe('before a run has started', () => {
    let run: Run;

    before(async () => {
      run = await (await ServedProject.start({ 'outcomes.eval.mjs': outcomes })).active();
    });

    it('are those of a run that has done nothing', () => {
      const { score_chips, eval_path, is_paused, selected_total, ...plain } = run;
      expect(runProblems(plain)).to.deep.equal([]);
      expect(run).to.deep.include({
        state: 'not_started',
        total_evaluations: 9,
        total_functions: 9,
        total_passed: 0,
        total_errors: 0,
        total_with_scores: 0,
        average_latency: 0,
        score_chips: [],
        is_paused: false,
        selected_total: 0,
      });
    });

    it('have all keys of a result, with input, reference and metadata as authored', () => {
      expect(run.results[0].result).to.deep.equal({
        input: null,
        output: null,
        reference: 'r',
        scores: [],
        error: null,
        latency: null,
        metadata: { a: 1 },
        trace_data: {},
        status: 'not_started',
        annotation: '',
        correction_history: [],
      });
    });

    it('have no fields that do not apply', () => {
      for (const entry of run.results) {
        expect(entry).to.have.all.keys('id', 'function', 'dataset', 'labels', 'result');
      }
      expect(run).to.not.have.any.keys('trials', 'pass_at_k', 'pass_all_k', 'discovery_error');
    });
  });
});
