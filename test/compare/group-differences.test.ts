import { expect } from 'chai';
import type { EvalCase } from '../../src/compare/cases/eval-case.js';
import { compareCases } from '../../src/compare/compare-cases.js';
import { groupDifferences, whyNotCompared } from '../../src/compare/group-differences.js';
import { parseGroupBy } from '../../src/model/summary/row-groups.js';
import { evalCase, passed } from './eval-cases.js';

const few = { draws: 200 };

/** Cases `a0`, `a1` …, one for each character: `+` passed, `-` failed. */
const cases = (name: string, outcomes: string): EvalCase[] =>
  [...outcomes].map((outcome, n) => passed(`${name}${n}`, outcome === '+' ? 1 : 0));

function differences(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  keys: readonly string[],
) {
  const groups = new Map<string | null, Set<string>>(
    keys.map((key) => [key, new Set(other.map(({ id }) => id).filter((id) => id.startsWith(key)))]),
  );
  return groupDifferences(base, other, groups, few);
}

describe('groupDifferences', () => {
  it('compares a group as a run of its cases alone would be compared', () => {
    const [before, after] = ['++++++++++++--', '+++---------+-'];
    const base = [...cases('a', before), ...cases('b', '++--')];
    const other = [...cases('b', '+++-'), ...cases('a', after), ...cases('a_new', '---')];
    const a = differences(base, other, ['a', 'b']).get('a');
    // A group names no drop that it would find.
    const { detectable: _, ...alone } =
      compareCases(cases('a', before), cases('a', after), few).summary.pass_rate ?? {};
    expect(a).to.deep.equal(alone);
    expect(a).to.deep.include({ pairs: 14, higher: 1, lower: 9, beyond_chance: true });
  });

  it('corrects for the groups whose data could show anything', () => {
    const base = [...cases('a', '++++++++'), ...cases('b', '++++'), ...cases('c', '++++')];
    const other = [...cases('a', '--------'), ...cases('b', '++++'), ...cases('c', '++--')];
    const among = differences(base, other, ['a', 'b', 'c']);
    expect(among.get('a')?.p).to.be.closeTo(2 / 256, 1e-12);
    expect(among.get('a')).to.deep.include({ among: 1, beyond_chance: true });
    expect(among.get('c')).to.deep.include({ p_adjusted: null, beyond_chance: false });
    const moved = Array.from({ length: 8 }, (_, n) => `m${n}.`);
    const [before, after] = ['+-'.repeat(6), '-+'.repeat(6)];
    const drowned = differences(
      [...base, ...moved.flatMap((key) => cases(key, before))],
      [...other, ...moved.flatMap((key) => cases(key, after))],
      ['a', 'b', 'c', ...moved],
    ).get('a');
    expect(drowned).to.deep.include({ p: among.get('a')?.p, p_adjusted: null });
    expect(drowned?.difference?.estimate).to.equal(-1);
  });

  it('tests no single case, and counts it in no correction', () => {
    const base = [passed('a0', 5, 5), ...cases('b', '++++++++')];
    const other = [passed('a0', 0, 4), ...cases('b', '--------')];
    const found = differences(base, other, ['a', 'b']);
    expect(found.get('a')).to.deep.include({
      pairs: 1,
      p: null,
      p_adjusted: null,
      beyond_chance: false,
    });
    expect(found.get('a')?.difference?.estimate).to.equal(-1);
    expect(found.get('b')?.p_adjusted).to.be.closeTo(2 / 256, 1e-12);
  });

  it('has no difference, rather than 0, without a case of both runs', () => {
    const base = [evalCase('a0', { trials: 0 })];
    const found = differences(base, cases('a', '+'), ['a', 'b']);
    for (const key of ['a', 'b']) {
      expect(found.get(key)).to.deep.include({ pairs: 0, base: null, difference: null });
    }
  });

  it('is for groups that do not depend on the outcome', () => {
    const why = (by: string) => whyNotCompared(parseGroupBy(by) ?? 'file');
    expect(['dataset', 'metadata.tier', 'input.city'].map(why)).to.deep.equal(Array(3));
    expect(why('output.verdict')).to.equal('groups by output depend on the outcome');
  });
});
