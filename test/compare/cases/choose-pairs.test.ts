import { expect } from 'chai';
import { type ComparedKind, choosePairs } from '../../../src/compare/cases/choose-pairs.js';
import type { EvalCase } from '../../../src/compare/cases/eval-case.js';
import { compareCases } from '../../../src/compare/compare-cases.js';
import { judgeRegression } from '../../../src/compare/gates/judge-regression.js';
import { evalCase, passed, valued } from '../eval-cases.js';

function choose(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  options: { limit: number; only?: readonly ComparedKind[] },
) {
  const comparison = compareCases(base, other);
  const chosen = choosePairs({ comparison, regression: judgeRegression(comparison) }, options);
  return { shown: chosen.shown.map(({ id }) => id), left: Object.fromEntries(chosen.left) };
}

const hashed = (id: string, passes: number, outputHash: string) =>
  passed(id, passes, 1, { outputHash });

describe('choosePairs', () => {
  const base = [
    hashed('same', 1, 'x'),
    hashed('changed', 1, 'x'),
    passed('gone', 1),
    passed('fixed', 0),
    passed('dropped', 4, 5),
    passed('collapsed', 10, 10),
    passed('regressed', 1),
  ];
  const other = [
    hashed('same', 1, 'x'),
    hashed('changed', 1, 'y'),
    passed('fixed', 1),
    passed('dropped', 1, 5),
    passed('collapsed', 1, 10),
    passed('regressed', 0),
    passed('new', 1),
  ];

  it('shows what is worse beyond chance first, then by how much it fell, then other kinds', () => {
    expect(choose(base, other, { limit: 10 })).to.deep.equal({
      shown: ['collapsed', 'regressed', 'dropped', 'fixed', 'changed', 'gone', 'new'],
      left: {},
    });
  });

  it('counts what there was no room for, by kind', () => {
    expect(choose(base, other, { limit: 2 })).to.deep.equal({
      shown: ['collapsed', 'regressed'],
      left: { regressed: 1, fixed: 1, changed: 1, unpaired: 2 },
    });
  });

  it('shows only the kinds asked for', () => {
    const only = ['unpaired', 'fixed'] as const;
    expect(choose(base, other, { limit: 10, only })).to.deep.equal({
      shown: ['fixed', 'gone', 'new'],
      left: {},
    });
  });

  it('puts values that rose most first where lower is better', () => {
    const sizes = (numbers: readonly number[], outputHash: string) =>
      numbers.map((value, i) => {
        const scores = valued('tokens', value).map((one) => ({ ...one, better: 'lower' as const }));
        return evalCase(String(i), { scores, outputHash });
      });
    const chosen = choose(sizes([5, 5, 5], 'a'), sizes([1, 6, 9], 'b'), { limit: 10 });
    expect(chosen.shown).to.deep.equal(['2', '1', '0']);
  });

  it('puts scores that fell most first where nothing has a verdict', () => {
    const values = (numbers: readonly number[], outputHash: string) =>
      numbers.map((value, i) => evalCase(String(i), { scores: valued('x', value), outputHash }));
    const chosen = choose(values([5, 5, 5], 'a'), values([6, 1, 4], 'b'), { limit: 10 });
    expect(chosen.shown).to.deep.equal(['1', '2', '0']);
  });
});
