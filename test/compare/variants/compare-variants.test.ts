import { expect } from 'chai';
import type { CaseUsage, EvalCase } from '../../../src/compare/cases/eval-case.js';
import type { ComparedHead, ComparedRun } from '../../../src/compare/compared-run.js';
import { compareVariants } from '../../../src/compare/variants/compare-variants.js';
import { passed, verdicts } from '../eval-cases.js';

function run(
  name: string,
  cases: readonly EvalCase[],
  { unfinished = 0, ...head }: Partial<ComparedHead> & { readonly unfinished?: number } = {},
): ComparedRun {
  return {
    head: {
      ...{ run_id: `id-${name}`, run_name: name, session_name: null, config_name: null },
      ...{ state: null, timestamp: 0, ...head },
    },
    ...{ cases, unfinished, rowsOf: () => new Map() },
    read: async () => {
      throw new Error('not read');
    },
  };
}

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

const figuresOf = (...runs: readonly ComparedRun[]) => compared(...runs).variants;
const bestOf = (...runs: readonly ComparedRun[]) =>
  figuresOf(...runs).flatMap(({ label, is_best }) => (is_best ? [label] : []));

describe('compareVariants', () => {
  it('gives each variant its rate, and its difference from the base over the cases of both', () => {
    const [base, other] = figuresOf(
      run('large', verdicts('++++----')),
      run('swift', verdicts('+++++--')),
    );
    expect(base).to.deep.include({ run_id: 'id-large', label: 'large' });
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
      run('replayed', costing('++', calls(null, { replayed: true }))),
      run('free', costing('++', 0)),
      run('no calls', verdicts('++')),
    ).map(({ cost }) => cost);
    expect(costs).to.deep.equal([
      { per_case: 0.03, unknown: 0 },
      { per_case: 0.01, unknown: 1 },
      { per_case: 0.01, unknown: 2 },
      { per_case: null, unknown: 2 },
      { per_case: null, unknown: 2, replayed: 2 },
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
  });
});
