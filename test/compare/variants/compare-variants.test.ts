import { expect } from 'chai';
import type { CaseUsage, EvalCase } from '../../../src/compare/cases/eval-case.js';
import type { ComparedRun } from '../../../src/compare/compared-run.js';
import { compareVariants } from '../../../src/compare/variants/compare-variants.js';
import type { JsonObject } from '../../../src/model/json.js';
import { passed, comparedRun as run, verdicts } from '../eval-cases.js';

const calls = (cost: number | null, more: Partial<CaseUsage> = {}): CaseUsage => ({
  ...{ calls: 1, tokens: 10, cost },
  ...more,
});
const costing = (outcomes: string, ...costs: (CaseUsage | number | null)[]): EvalCase[] =>
  verdicts(outcomes).map((one, at) => {
    const usage = costs[at % costs.length] ?? null;
    return { ...one, usage: typeof usage === 'object' && usage !== null ? usage : calls(usage) };
  });

function compared(...runs: readonly ComparedRun[]) {
  const [base, ...others] = runs;
  if (base === undefined) throw new Error('nothing to compare');
  return compareVariants(base, others);
}

const figuresOf = (...runs: readonly ComparedRun[]) => compared(...runs).runs;
const bestOf = (...runs: readonly ComparedRun[]) =>
  figuresOf(...runs).flatMap(({ label, is_best }) => (is_best ? [label] : []));

describe('compareVariants', () => {
  it('gives each variant its rate, and its difference from the base over the cases of both', () => {
    const [base, other] = figuresOf(
      run('large', verdicts('++++----')),
      run('swift', verdicts('+++++--')),
    );
    expect(base).to.deep.include({ run_id: 'large', label: 'large' });
    expect(base).to.not.have.any.keys('difference', 'expected_again', 'params');
    expect(base?.pass_rate).to.deep.include({ passed: 4, total: 8 });
    expect(other?.pass_rate.rate?.estimate).to.be.closeTo(5 / 7, 1e-12);
    expect(other?.difference).to.deep.include({ pairs: 7, carried: 0, higher: 1, lower: 0, p: 1 });
    expect(other?.difference?.difference?.estimate).to.be.closeTo(1 / 7, 1e-12);
  });

  // By hand: one-sided 1 / 2^8, two-sided twice that; 8 better and 7 better of 8 and 7 that differ.
  it('adjusts p over the variants whose data can decide, by Holm', () => {
    const base = run('base', verdicts('--------'));
    const [, all, seven, one] = figuresOf(
      base,
      run('all', verdicts('++++++++')),
      run('seven', verdicts('+++++++-')),
      run('one', verdicts('+-------')),
    );
    expect(all?.difference).to.deep.include({ among: 2, beyond_chance: true });
    expect(all?.difference?.p).to.be.closeTo(2 / 256, 1e-12);
    expect(all?.difference?.p_adjusted).to.be.closeTo(2 * (2 / 256), 1e-12);
    expect(seven?.difference?.p_adjusted).to.be.closeTo(2 / 128, 1e-12);
    expect(one?.difference).to.deep.include({ p: 1, p_adjusted: null, beyond_chance: false });
  });

  it('has the cost of a case, a lower bound where some is unknown, and null where all is', () => {
    const costs = figuresOf(
      run('known', costing('++', 0.02, 0.04)),
      run('partly', costing('++', 0.02, null)),
      run('at least', costing('++', calls(null, { least: 0.01 }))),
      run('unknown', costing('++', null)),
      run('replayed', costing('++', calls(null, { replayed: true, recorded: null }))),
      run('recorded', costing('++', calls(null, { replayed: true, recorded: 0.04 }))),
      run('free', costing('++', 0)),
      run('no calls', verdicts('++')),
    ).map(({ cost }) => cost);
    expect(costs).to.deep.equal([
      { per_case: 0.03, unknown: 0 },
      { per_case: 0.01, unknown: 1 },
      { per_case: 0.01, unknown: 2 },
      { per_case: null, unknown: 2 },
      { per_case: null, unknown: 2, replayed: 2 },
      { per_case: 0.04, unknown: 0, replayed: 2 },
      { per_case: 0, unknown: 0 },
      null,
    ]);
  });

  it('divides the cost of a case by its trials', () => {
    const cases = [passed('0', 2, 4, { usage: calls(0.4) })];
    expect(figuresOf(run('a', cases), run('b', cases))[1]?.cost?.per_case).to.be.closeTo(
      0.1,
      1e-12,
    );
  });

  it('marks variants that none beats at its cost', () => {
    const [low, mid, high] = ['+---', '++--', '+++-'];
    expect(
      bestOf(
        run('good', costing(high, 0.5)),
        run('dear', costing(high, 0.6)),
        run('cheap', costing(low, 0.1)),
        run('poor', costing(low, 0.2)),
        run('middle', costing(mid, 0.3)),
      ),
    ).to.deep.equal(['good', 'cheap', 'middle']);
    expect(
      bestOf(run('a', costing(mid, 0.1, 0.2)), run('b', costing(mid, 0.2, 0.1))),
    ).to.deep.equal(['a', 'b']);
    // A variant of unknown cost beats none, and is marked only if it passes most.
    expect(
      bestOf(run('unknown', costing(mid, null)), run('known', costing(low, 0.5))),
    ).to.deep.equal(['unknown', 'known']);
    expect(
      bestOf(run('unknown', costing(low, 0.001, null)), run('known', costing(mid, 0.5))),
    ).to.deep.equal(['known']);
    expect(bestOf(run('a', verdicts(mid)), run('b', verdicts(high)))).to.deep.equal(['b']);
    expect(bestOf(run('alone', verdicts(mid)), run('none', []))).to.deep.equal([]);
  });

  it('says which cases variants lack, and judges over those that all have', () => {
    const { runs, common_cases, notes } = compared(
      run('all', verdicts('++++----')),
      run('half', verdicts('++++')),
      run('none', []),
    );
    expect(common_cases).to.equal(4);
    expect(runs.map(({ is_best }) => is_best)).to.deep.equal([true, true, false]);
    expect(runs[1]?.difference).to.deep.include({ pairs: 4, higher: 0, lower: 0 });
    expect(runs[2]).to.deep.include({ cost: null, p50: null });
    expect(runs[2]?.pass_rate).to.deep.equal({ passed: 0, total: 0, rate: null });
    expect(runs[2]?.difference).to.deep.include({ pairs: 0, difference: null, p: null });
    expect(notes).to.deep.equal([
      'no verdicts: none',
      'cases with a verdict: 8 of all, 4 of half; ◆, the effects of params and the expected rate are over the 4 that all have',
    ]);
  });

  it('says what is not finished, not priced, not compared and not tested, and counts errors as not passed', () => {
    const drawn = verdicts('++').map((one) => ({ ...one, draw: 'a', graded: one.id }));
    const clustered = verdicts('++--').map((one) => ({ ...one, cluster: 'document' }));
    const failing = passed('1', 0, 1, { errors: 1 });
    const about = (...runs: readonly ComparedRun[]) => compared(...runs).notes;
    expect(about(run('a', drawn), run('b', drawn))).to.deep.equal([
      'cases carried over, so not compared: 2 of b',
    ]);
    expect(about(run('a', clustered), run('b', clustered))).to.deep.equal([
      'b is not tested: the cases are of 1 cluster, and fewer than 8 cannot be tested',
    ]);
    expect(about(run('a', [failing], { unfinished: 3 }), run('b', [passed('1', 1)]))).to.deep.equal(
      ['results that have not finished: 3 of a', 'errors, which have not passed: 1 of a'],
    );
    const replayed = calls(null, { replayed: true, recorded: 0.1 });
    expect(
      about(
        run('a', costing('++', null)),
        run('b', costing('++', replayed)),
        run('c', verdicts('++')),
      ),
    ).to.deep.equal([
      'cases with calls of unknown cost: 2 of a',
      'cases with replayed calls, at what they cost when recorded: 2 of b',
      'no calls recorded: c',
    ]);
  });

  it('tells runs of one name apart, and compares one case, and twelve variants that are alike', () => {
    const one = figuresOf(
      run('same', verdicts('+'), { run_id: '1' }),
      run('same', verdicts('-'), { run_id: '2' }),
    );
    expect(one.map(({ label }) => label)).to.deep.equal(['1 same', '2 same']);
    expect(one[1]?.difference).to.deep.include({ pairs: 1, p: 1, p_adjusted: null });
    const twelve = figuresOf(
      ...Array.from({ length: 12 }, (_, at) => run(`${at}`, verdicts('+++-'.repeat(10)))),
    );
    expect(twelve.map(({ is_best }) => is_best)).to.deep.equal(Array(12).fill(true));
    for (const { difference } of twelve.slice(1)) {
      expect(difference).to.deep.include({ p: 1, p_adjusted: null, beyond_chance: false });
    }
  });

  // The estimate itself: test/statistics/expected-again.test.ts.
  it('says what the best of four or more is expected to pass again, over units that are independent', () => {
    const outcomes = ['++++----', '+++++---', '++++++--', '---+++++'];
    const expected = (facts: (at: number) => Partial<EvalCase> = () => ({})) =>
      figuresOf(
        ...outcomes.map((of, at) =>
          run(
            `${at}`,
            verdicts(of).map((one, n) => ({ ...one, ...facts(n) })),
          ),
        ),
      ).map(({ expected_again }) => expected_again);
    const [first, second, best, last] = expected();
    expect([first, second, last]).to.deep.equal([undefined, undefined, undefined]);
    expect(best).to.be.within(0.5, 0.75);
    const inClusters = expected((n) => ({ cluster: `${Math.floor(n / 2)}` }))[2];
    expect(inClusters).to.be.within(0.5, 0.75);
    expect(inClusters).to.not.equal(best);
    outcomes.pop();
    expect(expected()).to.deep.equal([undefined, undefined, undefined]);
  });
});

describe('the effects of params', () => {
  const variant = (outcomes: string, params: JsonObject) =>
    run(JSON.stringify(params), verdicts(outcomes), { params });
  const grid = [
    variant('++--', { model: 'a', prompt: 'x', fixed: 1 }),
    variant('+++-', { model: 'a', prompt: 'y', fixed: 1 }),
    variant('+---', { model: 'b', prompt: 'x', fixed: 1 }),
    variant('+++-', { model: 'b', prompt: 'y', fixed: 1 }),
  ];

  // By hand: the differences of the means over both models are 0, 0.5, 1 and 0; Bonett and Price's interval of them.
  it('are averaged over the others, with intervals over cases, the largest first', () => {
    const [prompt, model, ...more] = compared(...grid).factors ?? [];
    expect(more).to.deep.equal([]);
    expect(prompt).to.deep.include({ param: 'prompt', from: 'x', to: 'y', pairs: 4 });
    expect(prompt?.difference?.estimate).to.be.closeTo(0.375, 1e-12);
    const added = (1.25 + 2) / 4;
    const half = 1.959964 * Math.sqrt(((1.25 + 2 * added) / 6 - 0.25 ** 2) / 6);
    expect(prompt?.difference?.low).to.be.closeTo(0.25 - half, 1e-6);
    expect(prompt?.difference?.high).to.be.closeTo(0.25 + half, 1e-6);
    expect(model).to.deep.include({ param: 'model', from: 'a', to: 'b' });
    expect(model?.difference?.estimate).to.be.closeTo(-0.125, 1e-12);
  });

  it('compare each of several values with that of the base', () => {
    const factors = compared(
      ...['++--', '+---', '++++'].flatMap((outcomes, size) => [
        variant(outcomes, { size, on: true }),
        variant(outcomes, { size, on: false }),
      ]),
    ).factors?.map(({ param, from, to, difference }) => [param, from, to, difference?.estimate]);
    expect(factors).to.deep.equal([
      ['size', 0, 1, -0.25],
      ['size', 0, 2, 0.5],
      ['on', true, false, 0],
    ]);
  });

  it('are absent unless the variants are a full grid of two params, all with verdicts', () => {
    const [one, two, three, four] = grid as [ComparedRun, ComparedRun, ComparedRun, ComparedRun];
    for (const runs of [
      [one, two, three],
      [one, two],
      [one, two, three, three],
      [...grid, four],
      [one, two, three, run('d', four.cases)],
      [one, two, three, variant('+++-', { model: 'b', prompt: 'y' })],
      [one, two, three, { ...four, cases: [] }],
    ]) {
      expect(compared(...runs)).to.not.have.any.keys('factors');
    }
  });
});
