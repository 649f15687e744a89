import { expect } from 'chai';
import fc from 'fast-check';
import type { EvalCase } from '../../../src/compare/cases/eval-case.js';
import { casesOf } from '../../../src/compare/cases/group-by-case.js';
import { noUsage } from '../../../src/model/calls/usage.js';
import type { RowFacts } from '../../../src/model/result.js';
import type { Score } from '../../../src/model/scores/score.js';
import { summarise } from '../../../src/model/summary/summary.js';
import { rowFacts, trialRows } from '../../model/row-facts.js';

function only(rows: readonly RowFacts[], hashes: readonly (string | null)[] = []): EvalCase {
  const cases = casesOf(
    rows.map((row, position) => ({ ...row, outputHash: hashes[position] ?? undefined })),
  );
  expect(cases).to.have.lengthOf(1);
  return cases[0] as EvalCase;
}

const scores = fc.array(
  fc.record(
    {
      key: fc.constantFrom('exact', 'size'),
      passed: fc.boolean(),
      value: fc.integer({ min: 0, max: 4 }),
    },
    { requiredKeys: ['key'] },
  ),
  { maxLength: 3 },
);
const anyRow = fc.record({
  id: fc.constantFrom('a', 'b', 'c'),
  status: fc.constantFrom('completed' as const, 'error' as const, 'cancelled' as const),
  latency: fc.option(fc.integer({ min: 0, max: 64 })),
  scores,
  hash: fc.option(fc.constantFrom('h1', 'h2')),
});

/** Trials of three evaluations, in any order. */
const rowsOfTrials = fc.array(anyRow, { maxLength: 20 }).map((list) =>
  list.map(({ id, hash, ...facts }, i) => ({
    ...rowFacts({
      ...facts,
      id: `${id}~${i + 1}`,
      trial: i + 1,
      trial_of: id,
      // As in a run: what has not finished has no scores.
      scores: facts.status === 'cancelled' ? [] : facts.scores,
    }),
    outputHash: hash ?? undefined,
  })),
);

describe('casesOf', () => {
  it('makes one case of an evaluation without trials', () => {
    const row = rowFacts({
      id: 'a.ts::f[x]',
      function: 'f[x]',
      latency: 0.5,
      scores: [
        { key: 'exact', passed: true },
        { key: 'size', value: 3 },
        { key: 'both', passed: false, value: 9 },
      ],
    });
    expect(only([row], ['h'])).to.deep.equal({
      id: 'a.ts::f[x]',
      function: 'f[x]',
      dataset: 'a',
      trials: 1,
      passes: 0,
      judged: 1,
      errors: 0,
      scores: [
        { key: 'exact', kind: 'ratio', sum: 1, count: 1 },
        { key: 'size', kind: 'value', sum: 3, count: 1 },
        { key: 'both', kind: 'ratio', sum: 0, count: 1, values: [9] },
      ],
      outputHash: 'h',
      latency: 0.5,
    });
  });

  it('folds finished trials under the id without trial, errors among what is judged', () => {
    const { id, trials, passes, judged, errors } = only(trialRows('f', '+-!?+'));
    expect({ id, trials, passes, judged, errors }).to.deep.equal({
      id: 'a.eval.ts::f',
      trials: 4,
      passes: 2,
      judged: 4,
      errors: 1,
    });
  });

  it('adds up what the calls of finished trials used', () => {
    const part = { calls: 2, input: 90, output: 10, cost: 0.25 };
    const usage = { ...part, by_role: {} };
    const trial = (n: number, facts: Partial<RowFacts>) =>
      rowFacts({ id: `f~${n}`, trial_of: 'f', ...facts });
    const known = [trial(1, { usage }), trial(2, { usage }), trial(3, {})];
    const cancelled = trial(4, { usage, status: 'cancelled' });
    expect(only([...known, cancelled]).usage).to.deep.equal({ calls: 4, tokens: 200, cost: 0.5 });
    const unpriced = trial(4, { usage: { ...usage, unpriced: 1 } });
    expect(only([...known, unpriced]).usage).to.deep.equal({
      ...{ calls: 6, tokens: 300, cost: null },
      least: 0.75,
    });
    const program = trial(4, { usage: { ...noUsage, cost: null, unpriced: 1, programs: 1 } });
    expect(only([...known, program]).usage).to.deep.equal({
      ...{ calls: null, tokens: null, cost: null },
      least: 0.5,
    });
    const replayed = trial(4, { usage: { ...usage, cost: 0, replayed: 2, replayed_cost: 0.25 } });
    expect(only([...known, replayed]).usage).to.deep.equal({
      ...{ calls: 6, tokens: 300, cost: null },
      least: 0.5,
      replayed: true,
      recorded: 0.75,
    });
    const unrecorded = trial(4, {
      usage: { ...usage, cost: 0, replayed: 2, replayed_unpriced: 1 },
    });
    expect(only([...known, unrecorded]).usage).to.deep.include({ replayed: true, recorded: null });
    const both = [replayed, trial(5, { usage })];
    expect(only([...known, ...both]).usage).to.deep.include({ replayed: true, recorded: 1 });
    const silent = trial(4, { usage: { calls: 1, cost: 0, by_role: {} } });
    expect(only([...known, silent]).usage).to.deep.include({ tokens: null, cost: 0.5 });
    const refused = trial(4, { usage: { calls: 1, failed: 1, cost: 0, by_role: {} } });
    expect(only([...known, refused]).usage).to.deep.include({ tokens: 200, calls: 5 });
  });

  it('has usage in every case of a run that calls models, and in none of another', () => {
    const usage = { calls: 0, cost: 0, other_calls: 2, by_role: {} };
    const rows = [rowFacts({ id: 'a', usage }), rowFacts({ id: 'b' })];
    expect(casesOf(rows).map((one) => one.usage)).to.deep.equal([undefined, undefined]);
    const called = rowFacts({ id: 'c', usage: { ...usage, calls: 1 } });
    expect(casesOf([...rows, called]).map((one) => one.usage?.calls)).to.deep.equal([0, 0, 1]);
  });

  it('keeps a case of which nothing has finished', () => {
    expect(only(trialRows('f', '??')).trials).to.equal(0);
  });

  it('does not count a trial with values only among the judged', () => {
    expect(only([rowFacts({ scores: [{ key: 'size', value: 1 }] })]).judged).to.equal(0);
  });

  it('counts verdicts where a key has some, and keeps the values beside them', () => {
    const scored = [{ value: 7 }, { passed: true, value: 3 }, { value: 2 }, { passed: false }];
    const rows = scored.map((score, i) =>
      rowFacts({ id: `f~${i}`, trial_of: 'f', scores: [{ key: 'k', ...score }] }),
    );
    expect(only(rows).scores).to.deep.equal([
      { key: 'k', kind: 'ratio', sum: 1, count: 2, values: [7, 3, 2] },
    ]);
  });

  it('keeps the verdicts that a threshold derives beside the values, and each its own where they are mixed', () => {
    const near = { key: 'k', value: 0.9, passed: true, threshold: 0.8 };
    const trials = (...scores: readonly Score[]) =>
      scores.map((score, i) => rowFacts({ id: `f~${i}`, trial_of: 'f', scores: [score] }));
    expect(only(trials(near, { ...near, value: 0.5, passed: false })).scores).to.deep.equal([
      {
        key: 'k',
        kind: 'value',
        sum: 1.4,
        count: 2,
        derived: { passes: 1, of: 2 },
        values: [0.9, 0.5],
      },
    ]);
    expect(only(trials(near, { key: 'k', passed: false, value: 0.95 })).scores).to.deep.equal([
      {
        key: 'k',
        kind: 'ratio',
        sum: 1,
        count: 2,
        derived: { passes: 1, of: 1 },
        values: [0.9, 0.95],
      },
    ]);
    const human: Score = { key: 'k', passed: false, source: 'human' };
    expect(only(trials(near, human)).scores).to.deep.equal([
      {
        key: 'k',
        kind: 'ratio',
        sum: 1,
        count: 2,
        human: true,
        derived: { passes: 1, of: 1 },
        values: [0.9],
      },
    ]);
  });

  it('has each key once, in order of first appearance, also where trials have others', () => {
    const trials = [
      [
        { key: 'a', value: 1 },
        { key: 'b', value: 2 },
      ],
      [{ key: 'b', value: 4 }],
      [
        { key: 'c', value: 8 },
        { key: 'a', value: 16 },
        { key: 'c', value: 32 },
      ],
    ];
    const rows = trials.map((scores, i) => rowFacts({ id: `f~${i}`, trial_of: 'f', scores }));
    expect(only(rows).scores).to.deep.equal([
      { key: 'a', kind: 'value', sum: 17, count: 2, values: [1, 16] },
      { key: 'b', kind: 'value', sum: 6, count: 2, values: [2, 4] },
      { key: 'c', kind: 'value', sum: 40, count: 2, values: [8, 32] },
    ]);
  });

  it('averages latencies over the trials that have one', () => {
    const rows = [2, null, 4].map((latency, i) =>
      rowFacts({ id: `f~${i}`, trial_of: 'f', latency }),
    );
    expect(only(rows).latency).to.equal(3);
  });

  it('has the hash of one output, one of all distinct outputs, and none where one is not known', () => {
    const rows = trialRows('f', '+++');
    expect(only(rows, ['h', 'h', 'h']).outputHash).to.equal('h');
    const mixed = only(rows, ['h', 'g', 'h']).outputHash;
    expect(mixed).to.match(/^[0-9a-f]{16}$/);
    expect(only(rows, ['g', 'g', 'h']).outputHash).to.equal(mixed);
    expect(only(rows, ['g', 'i', 'h']).outputHash).to.not.equal(mixed);
    expect(only(rows, ['h', null, 'h']).outputHash).to.equal(null);
    expect(only(rows, [null, 'h', 'h']).outputHash).to.equal(null);
  });

  it('adds up to the summary of the run, and does not depend on the order of rows', () => {
    fc.assert(
      fc.property(rowsOfTrials, (rows) => {
        const cases = casesOf(rows);
        const { verdicts } = summarise(rows);
        const sum = (read: (evalCase: EvalCase) => number) =>
          cases.reduce((all, one) => all + read(one), 0);
        expect(sum((one) => one.passes)).to.equal(verdicts.passed);
        expect(sum((one) => one.judged)).to.equal(verdicts.of);
        const again = casesOf([...rows].reverse());
        expect(byId(again)).to.deep.equal(byId(cases));
      }),
    );
  });
});

function byId(cases: readonly EvalCase[]): Map<string, object> {
  return new Map(
    cases.map((evalCase) => {
      const scores = [...evalCase.scores]
        .map(({ values, ...score }) => ({ ...score, values: [...(values ?? [])].sort() }))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
      const grades = (evalCase.grades ?? []).map((trial) => JSON.stringify(trial)).sort();
      return [evalCase.id, { ...evalCase, scores, grades }];
    }),
  );
}
