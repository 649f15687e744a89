import { expect } from 'chai';
import { measureLines } from '../../../src/cli/compare/compare-figures.js';
import { limitTexts } from '../../../src/cli/compare/compare-words.js';
import type { EvalCase } from '../../../src/compare/cases/eval-case.js';
import { compareRuns } from '../../../src/compare/compare-runs.js';
import type { ComparedRun } from '../../../src/compare/compared-run.js';
import { noUsage, type Usage } from '../../../src/model/calls/usage.js';
import { comparedRun, evalCase, passed, valued, verdicts } from '../../compare/eval-cases.js';

function runOf(name: string, cases: readonly EvalCase[], usage?: Usage): ComparedRun {
  return comparedRun(name, cases, usage && { usage });
}

const sizes = (add: number) =>
  Array.from({ length: 21 }, (_, i) => evalCase(`${i}`, { scores: valued('size', i * 10 + add) }));

describe('the measures of a comparison', () => {
  it('have p50 and p95 of unbounded values, no interval, and a verdict on the mean', () => {
    const compared = compareRuns(runOf('old', sizes(0)), [runOf('new', sizes(300))]);
    const [line] = measureLines(compared);
    expect(line?.name).to.equal('size');
    expect(line?.figures[0]).to.include({
      value: 'p50 100, p95 190',
      interval: 'unbounded values',
      of: 'of 21',
    });
    expect(line?.figures[1]).to.include({
      value: 'p50 400, p95 490',
      pairs: 'p50 100 → 400 (21)',
      difference: 'mean +300',
      differenceInterval: 'unbounded values',
      verdict: 'better',
    });
    const texts = compared.others.flatMap((other) => limitTexts(compared.base, other));
    expect(texts.join()).to.equal('');
  });

  it('say which drop is found, at most a fall to none, or none at all', () => {
    const said = (passes: string) => {
      const run = runOf('same', verdicts(passes));
      const { base, others } = compareRuns(run, [run]);
      return others.flatMap((other) => limitTexts(base, other).slice(0, 1));
    };
    expect(said('+'.repeat(40))).to.deep.equal([
      'finds a drop of 22.4 points in the pass rate 4 times in 5',
    ]);
    expect(said('++++++--')).to.deep.equal([
      'finds at most a fall of the pass rate to none: too few cases',
    ]);
    expect(said('+++++')).to.deep.equal(['cannot find any drop in the pass rate: too few cases']);
  });

  it('have the mean alone where a baseline keeps sums of unbounded values', () => {
    const sums = [{ key: 'size', kind: 'value', sum: 90, count: 3 }] as const;
    const cases = [evalCase('a', { trials: 3, scores: sums })];
    const [line] = measureLines(compareRuns(runOf('old', cases), [runOf('new', cases)]));
    expect(line?.figures[0]).to.include({
      value: '30',
      interval: 'unbounded values',
      of: 'mean of 3',
    });
    expect(line?.figures[1]).to.include({ pairs: '30 → 30 (1)', difference: 'mean 0' });
  });

  it('says that the data is too little where only the interval leaves out 0', () => {
    const run = (name: string, values: readonly number[]) =>
      runOf(
        name,
        values.map((value, i) => evalCase(`${i}`, { scores: valued('grade', value) })),
      );
    const base = Array.from({ length: 100 }, (_, i) => (i < 5 ? 0 : 0.5));
    // Five pairs rose, and none fell: p = 2 / 32.
    const other = base.map((value) => (value === 0 ? 1 : value));
    const [line] = measureLines(compareRuns(run('old', base), [run('new', other)]));
    const [, figure] = line?.figures ?? [];
    expect(figure?.differenceInterval).to.match(/^\+0\.\d+ to \+0\.\d+$/);
    expect([figure?.p, figure?.verdict]).to.deep.equal(['.063', 'too little data']);
  });

  it('have a p-value and no verdict for values beside verdicts of an evaluator', () => {
    const run = (name: string, value: number) =>
      runOf(
        name,
        Array.from({ length: 10 }, (_, i) =>
          passed(`${i}`, 1, 1, {
            scores: [{ key: 'rating', kind: 'ratio', sum: 1, count: 1, values: [value] }],
          }),
        ),
      );
    const compared = compareRuns(run('old', 450), [run('new', 400)]);
    const line = measureLines(compared).find(({ name }) => name === 'rating (value)');
    expect(line?.figures[1]).to.include({ difference: 'mean −50', p: '.002', verdict: '' });
    const texts = compared.others.flatMap((other) => limitTexts(compared.base, other));
    expect(texts).to.include('gates judge rating, not rating (value)');
  });

  it('tell scores from figures of the same name', () => {
    const usage = { calls: 2, tokens: 10, cost: 0.5 };
    const run = (name: string) =>
      runOf(
        name,
        [
          evalCase('a', {
            usage,
            scores: ['tokens', 'cost', 'pass rate', 'latency'].flatMap((key) => valued(key, 4)),
          }),
        ],
        { ...noUsage, ...usage, input: 10 },
      );
    const names = measureLines(compareRuns(run('old'), [run('new')])).map(({ name }) => name);
    const scores = ['tokens', 'cost (score)', 'pass rate (score)', 'latency (score)'];
    expect(names).to.deep.equal([...scores, 'cost', 'model tokens', 'calls']);
  });

  it('leave out of the cost what was replayed, and say so', () => {
    const usage = { calls: 2, tokens: 10, cost: 0.5 };
    const replayed = { ...usage, cost: null, replayed: true } as const;
    const cases = (of: typeof usage | typeof replayed) => [
      evalCase('a', { usage }),
      evalCase('b', { usage: of }),
    ];
    const compared = compareRuns(runOf('old', cases(usage), { ...noUsage, ...usage }), [
      runOf('new', cases(replayed), { ...noUsage, ...usage, cost: 0.5 }),
    ]);
    const line = measureLines(compared).find(({ name }) => name === 'cost');
    expect(line?.figures[1]).to.include({ pairs: '$0.50 → $0.50 (1)' });
    const texts = compared.others.flatMap((other) => limitTexts(compared.base, other));
    expect(texts).to.include(
      'cost is compared without 1 case with replayed calls, which cost nothing',
    );
  });

  it('say which run has nothing to compare costs with, such as an older baseline', () => {
    const usage = { calls: 2, tokens: 10, cost: 0.5 };
    const used = runOf('new', [evalCase('a', { usage })], { ...noUsage, ...usage });
    const textsOf = (base: ComparedRun) => {
      const compared = compareRuns(base, [used]);
      return compared.others.flatMap((other) => limitTexts(compared.base, other)).join();
    };
    expect(textsOf(runOf('old', [evalCase('a')]))).to.equal(
      'cost, model tokens and calls are not compared: old records no calls',
    );
    expect(textsOf(used)).not.to.include('not compared');
  });
});
