import { expect } from 'chai';
import type { RunJson } from '../../src/model/run.js';
import { Project } from '../helpers/project.js';
import { runProblems } from '../helpers/run-shape.js';

const scores = `
import { ExactMatch } from 'autoevals';
import { evaluation } from 'assay';
export const silent = evaluation({}, () => {});
export const named = evaluation({ defaultScoreKey: 'manners' }, () => {});
export const called = evaluation({}, (ctx) => {
  ctx.score(true);
  ctx.score('length', 12, 'in words');
  ctx.score('length', 13);
  ctx.score({ key: 'tone', passed: false, value: 0.25, notes: 'rude' });
});
export const onlyTarget = evaluation({ target: () => 1 });
export const inTarget = evaluation({ target: (ctx) => { ctx.score('cost', 3); return 1; } }, () => {});
export const evaluators = evaluation({
  target: () => 'out',
  reference: 'ref',
  metadata: { k: 1 },
  evaluators: [
    () => [{ key: 'a', value: 1 }, { key: 'b', passed: true }],
    ExactMatch,
    async () => null,
    () => true,
    (args) => ({ key: 'args', passed: args.output === 'out' && args.reference === 'ref' && args.expected === 'ref' && args.metadata.k === 1 }),
  ],
});
export const both = evaluation({ target: () => 1, evaluators: [function exact() { return false; }] }, () => {});
export const ownLatency = evaluation({ target: (ctx) => { ctx.latency = 12.5; } });
`;

const assertions = `
import assert from 'node:assert/strict';
import { expect } from 'chai';
import { evaluation } from 'assay';
const target = () => 'sorry';
const evaluators = [function ran() { return true; }];
export const node = evaluation({ target, evaluators }, (ctx) => {
  ctx.score('tone', true);
  assert.match(ctx.output, /refund/, 'must mention the refund');
});
export const chai = evaluation({ target, evaluators, defaultScoreKey: 'polite' }, (ctx) => {
  expect(ctx.output).to.equal('refund');
});
export const matcher = evaluation({}, () => {
  throw Object.assign(new Error('expected 1 to be 2'), { matcherResult: { pass: false } });
});
export const late = evaluation({}, async (ctx) => { await null; assert.equal(1, 2); });
`;

const errors = `
import assert from 'node:assert/strict';
import { evaluation } from 'assay';
const evaluators = [function ran() { return true; }];
export const inTarget = evaluation({
  evaluators,
  target: async (ctx) => { ctx.output = 'begun'; ctx.traceData.step = 1; throw new RangeError('no such order'); },
}, (ctx) => { ctx.score('never', true); });
export const assertionInTarget = evaluation({ target: () => assert.fail('not a grade') });
export const inBody = evaluation({ target: () => 'out', evaluators }, (ctx) => {
  ctx.score('tone', true);
  throw new Error('broken body', { cause: new Error('the reason') });
});
export const inEvaluator = evaluation({
  target: () => 'out',
  evaluators: [
    function before() { return true; },
    function judge() { throw new Error('model is down'); },
    async function after() { return 0.5; },
  ],
}, () => {});
export const notAGrade = evaluation({ target: () => 1, evaluators: [function odd() { return 'good'; }] });
export const twins = evaluation({
  target: () => 1,
  evaluators: [() => ({ key: 'k', passed: false }), () => ({ key: 'k', passed: true })],
});
export const badScore = evaluation({}, (ctx) => { ctx.score('x', Number.NaN); });
export const thrownText = evaluation({}, () => { throw 'just text'; });
`;

const passed = { key: 'correctness', passed: true };

/** Of those that are no error. */
const expected: Readonly<Record<string, readonly object[]>> = {
  // A body that returns without having scored has passed, under the default key.
  'scores.eval.ts::silent': [passed],
  'scores.eval.ts::named': [{ key: 'manners', passed: true }],
  'scores.eval.ts::both': [passed, { key: 'exact', passed: false }],
  'scores.eval.ts::inTarget': [{ key: 'cost', value: 3 }, passed],
  // Else it is just what the body says, the last one of a key.
  'scores.eval.ts::called': [
    passed,
    { key: 'length', value: 13 },
    { key: 'tone', passed: false, value: 0.25, notes: 'rude' },
  ],
  // Neither body nor evaluators is no pass.
  'scores.eval.ts::onlyTarget': [],
  'scores.eval.ts::ownLatency': [],
  // More shapes are tested with the function that reads them.
  'scores.eval.ts::evaluators': [
    { key: 'a', value: 1 },
    { key: 'b', passed: true },
    { key: 'ExactMatch', value: 0 },
    { key: 'evaluator_3', passed: true },
    { key: 'args', passed: true },
  ],
  // Failed assertions are failed scores under the default key, and evaluators still run.
  'assertions.eval.ts::node': [
    { key: 'tone', passed: true },
    {
      ...{ key: 'correctness', passed: false, notes: 'must mention the refund' },
      location: 'assertions.eval.ts:9:10',
    },
    { key: 'ran', passed: true },
  ],
  'assertions.eval.ts::chai': [
    {
      ...{ key: 'polite', passed: false, notes: "expected 'sorry' to equal 'refund'" },
      location: 'assertions.eval.ts:12:25',
    },
    { key: 'ran', passed: true },
  ],
  'assertions.eval.ts::matcher': [
    {
      ...{ key: 'correctness', passed: false, notes: 'expected 1 to be 2' },
      location: 'assertions.eval.ts:15:23',
    },
  ],
  'assertions.eval.ts::late': [
    {
      ...{ key: 'correctness', passed: false, notes: 'Expected values to be strictly equal:' },
      location: 'assertions.eval.ts:17:72',
    },
  ],
};

describe('what an evaluation makes of its result', () => {
  let run: RunJson;
  const entryOf = (name: string) =>
    run.results.find(({ id }) => id === `errors.eval.ts::${name}`) ?? expect.fail(name);
  const resultOf = (name: string) => entryOf(name).result;

  before(async () => {
    const project = new Project({
      'scores.eval.ts': scores,
      'assertions.eval.ts': assertions,
      'errors.eval.ts': errors,
    });
    ({ run } = await project.run());
    expect(runProblems(run)).to.deep.equal([]);
  });

  it('are the scores of its body and evaluators, and its latency', () => {
    const completed = run.results.filter(({ id }) => !id.startsWith('errors'));
    const found = completed.map(({ id, result: { error, scores: all } }) => {
      expect(error, id).to.equal(null);
      const shown = all.map(({ notes, ...score }) =>
        notes === undefined ? score : { ...score, notes: notes.split('\n')[0] },
      );
      return [id, shown];
    });
    expect(Object.fromEntries(found)).to.deep.equal(expected);
    const own = completed.find(({ function: name }) => name === 'ownLatency');
    expect(own?.result.latency).to.equal(12.5);
  });

  it('is an error of a target with what was set until then, and nothing grades', () => {
    const { error, latency, ...rest } = resultOf('inTarget');
    expect(rest).to.deep.include({
      ...{ status: 'error', output: 'begun', trace_data: { step: 1 }, scores: [] },
    });
    expect(latency).to.be.a('number');
    expect(error).to.match(/^RangeError: no such order\n\s+at .*errors\.eval\.ts:7:\d+/);
    expect(resultOf('assertionInTarget')).to.include({ status: 'error' });
    expect(entryOf('inTarget')).not.to.have.property('regradable');
  });

  it('is an error of a body with its scores and the cause, or of an evaluator with the scores of the others', () => {
    const { scores: kept, error, output } = resultOf('inBody');
    expect(kept).to.deep.equal([{ key: 'tone', passed: true }]);
    expect(output).to.equal('out');
    expect(error).to.match(/^Error: broken body\n\s+at .*errors\.eval\.ts:12:[\s\S]*the reason/);
    expect(entryOf('inBody')).to.include({ regradable: true });
    const judged = resultOf('inEvaluator');
    expect(judged.status).to.equal('error');
    expect(judged.scores).to.deep.equal([
      passed,
      { key: 'before', passed: true },
      { key: 'after', value: 0.5 },
    ]);
    expect(judged.error).to.match(/judge.*model is down[\s\S]*errors\.eval\.ts:18/);
  });

  it('is an error where scores are none, and with whatever is thrown', () => {
    expect(resultOf('notAGrade').error).to.match(/odd.*must return/);
    expect(resultOf('badScore').error).to.match(/NaN/);
    expect(resultOf('twins').error).to.equal(
      'evaluator evaluator_1: gave the score "k", as evaluator evaluator_0 did; give each its own key',
    );
    expect(resultOf('twins').scores).to.deep.equal([{ key: 'k', passed: false }]);
    expect(resultOf('thrownText').error).to.match(/just text/);
    // Nothing else is an error, or has passed.
    expect(run).to.include({ total_evaluations: 20, total_errors: 8, total_passed: 4 });
  });
});
