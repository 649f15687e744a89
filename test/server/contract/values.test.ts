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

const odd = `
import { evaluation } from 'assay';
const loop = { name: 'loop' };
loop.self = loop;
export const odd = evaluation({
  target: () => ({
    big: 12345678901234567890n,
    date: new Date(0),
    map: new Map([['k', 1]]),
    set: new Set([1, 2]),
    bytes: new Uint8Array(3),
    error: new RangeError('out'),
    fn: function named() {},
    nan: NaN,
    infinite: -Infinity,
    nothing: undefined,
    loop,
    lone: 'a\\ud800b',
  }),
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

  describe('of what has run', () => {
    let run: Run;
    const of = (name: string) => run.results.find((entry: Run) => entry.function === name).result;

    before(async () => {
      const served = await ServedProject.start({ 'outcomes.eval.mjs': outcomes }, { hosts: true });
      run = await served.runAll();
    });

    it('have the score correctness when a body returns that gave none', () => {
      expect(of('returns')).to.deep.include({
        status: 'completed',
        output: 'o',
        scores: [{ key: 'correctness', passed: true }],
        error: null,
      });
    });

    it('have a failed score with the message when an assertion fails; evaluators still run', () => {
      const { status, scores, output, error } = of('asserts');
      expect([status, output, error]).to.deep.equal(['completed', 'half', null]);
      expect(scores).to.deep.include({ key: 'also', passed: true });
      const failed = scores.find(({ key }: Run) => key === 'correctness');
      expect(failed.passed).to.equal(false);
      expect(failed.notes).to.include('one is not two');
    });

    it('have the default score key of the evaluation', () => {
      expect(of('expects').scores.map(({ key }: Run) => key)).to.deep.equal(['agrees']);
      expect(of('expects').scores[0].passed).to.equal(false);
    });

    it('have message and stack of what was thrown, and what was set until then', () => {
      const { status, error, output, scores } = of('throws');
      expect([status, output]).to.deep.equal(['error', 'until then']);
      expect(scores).to.deep.equal([{ key: 'early', passed: true }]);
      expect(error).to.include('gone wrong').and.include('outcomes.eval.mjs:');
    });

    it('have an error that names an evaluator that throws, and the scores of the others', () => {
      const { status, error, scores } = of('throwingEvaluator');
      expect(status).to.equal('error');
      expect(error).to.include('breaks').and.include('cannot');
      expect(scores).to.deep.equal([{ key: 'good', passed: true }]);
    });

    it('name the scores of nameless evaluators by their position', () => {
      const keys = of('nameless').scores.map(({ key }: Run) => key);
      expect(keys).to.have.length(2);
      for (const key of keys) expect(key).to.match(/^evaluator_\d$/);
    });

    it('have no score where nothing grades', () => {
      expect(of('ungraded')).to.deep.include({ status: 'completed', scores: [] });
    });

    it('have the fields of a score that were given, and the last one of a key', () => {
      expect(of('valued').scores).to.deep.equal([{ key: 'size', value: 0.25 }]);
      expect(of('full').scores).to.deep.equal([{ key: 'both', passed: true, notes: 'replaced' }]);
    });

    it('have a latency in seconds, and their mean as average', () => {
      const latencies = run.results.map(({ result }: Run) => result.latency);
      for (const latency of latencies) expect(latency).to.be.within(0, 5);
      const mean = latencies.reduce((sum: number, one: number) => sum + one, 0) / latencies.length;
      expect(run.average_latency).to.be.closeTo(mean, 1e-9);
    });

    it('count as passed what completed with a verdict and none that failed', () => {
      // returns, nameless and full
      expect(run).to.include({ total_passed: 3, total_errors: 2, total_with_scores: 8 });
    });
  });

  describe('that JSON cannot hold', () => {
    it('are converted by one rule and answered as JSON', async () => {
      const served = await ServedProject.start({ 'odd.eval.mjs': odd });
      const { output } = (await served.runAll()).results[0].result;
      expect(output).to.deep.include({
        big: '12345678901234567890',
        date: '1970-01-01T00:00:00.000Z',
        map: { k: 1 },
        set: [1, 2],
        nan: 'NaN',
        infinite: '-Infinity',
        loop: { name: 'loop', self: '<circular>' },
        lone: 'a\ufffdb',
      });
      expect(output).to.not.have.property('nothing');
      expect(output.bytes).to.include({ $bytes: 3 });
      expect(output.error).to.include({ name: 'RangeError', message: 'out' });
      expect(output.fn).to.match(/^<function named/);
      const { headers } = await served.get('/api/runs/latest/results/0');
      expect(headers.get('content-type')).to.match(/^application\/json/);
    });
  });
});
