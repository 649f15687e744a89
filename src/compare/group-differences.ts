import { caseIdOf, type RowFacts } from '../model/result.js';
import type { GroupBy, KeysOf, RowGroup } from '../model/summary/row-groups.js';
import type { EvalCase } from './cases/eval-case.js';
import { alikePairs, type FullPair, fullPairs, testedPairs } from './cases/pair-cases.js';
import { type MeasuredPairs, measuredPairs } from './compare-cases.js';
import { measureColumn, passMeasure } from './differences/measure-columns.js';
import type { DrawOptions } from './differences/paired-difference.js';
import { type FamilyTest, judgeFamily, undecided, untested } from './significance/family.js';

/** The pass rate of a group in two runs, tested as one of all groups; plain JSON. */
export interface GroupDifference extends MeasuredPairs, FamilyTest {}

/** A group with its difference from the run before; plain JSON. */
export interface ComparedGroup extends RowGroup {
  /** Absent if groups are not compared. */
  readonly difference?: GroupDifference;
}

/** The run before, which groups are compared with; plain JSON. */
export interface GroupsBase {
  readonly run_id: string;
  readonly run_name: string;
  /** The reason why nothing is compared with it, as the rest of a sentence; absent if groups are compared. */
  readonly not_compared?: string;
}

/** The ids of the cases of each group. */
type GroupCases = ReadonlyMap<string | null, ReadonlySet<string>>;

/** The reason why groups of this kind are not compared; `undefined` if they are. */
export function whyNotCompared(by: GroupBy): string | undefined {
  // Results that got worse gather in the groups of bad outputs.
  return typeof by === 'object' && by.of === 'output'
    ? 'groups by output depend on the outcome'
    : undefined;
}

/** The ids of the cases with a result in each group. */
export function casesByKey(rows: readonly RowFacts[], keysOf: KeysOf): GroupCases {
  const groups = new Map<string | null, Set<string>>();
  for (const [index, row] of rows.entries()) {
    if (row.pruned === true) continue;
    for (const key of keysOf(row, index)) {
      const ids = groups.get(key);
      if (ids === undefined) groups.set(key, new Set([caseIdOf(row)]));
      else ids.add(caseIdOf(row));
    }
  }
  return groups;
}

/**
 * Compares the pass rate of each group with that of the same cases in a base, over all their finished trials, without
 * those that were carried over. Groups with fewer than two pairs are not tested.
 */
export function groupDifferences(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  groups: GroupCases,
  options: DrawOptions = {},
): ReadonlyMap<string | null, GroupDifference> {
  const [differences = new Map()] = groupDifferencesOf(base, [other], groups, options);
  return differences;
}

/** The same for several runs, whose groups are all one family. */
export function groupDifferencesOf(
  base: readonly EvalCase[],
  others: readonly (readonly EvalCase[])[],
  groups: GroupCases,
  options: DrawOptions = {},
): ReadonlyMap<string | null, GroupDifference>[] {
  const placesOf = placesByCase(groups);
  const measured = others.map((other) => {
    const pairs = alikePairs(testedPairs(fullPairs(base, other)));
    return measureGroups(pairs, groups, placesOf, options);
  });
  const judged = judgeFamily(measured.flat()).values();
  const keys = [...groups.keys()];
  return measured.map(
    (differences) =>
      new Map(
        differences.map((one, at) => [
          keys[at] ?? null,
          { ...one, ...(judged.next().value ?? undecided) },
        ]),
      ),
  );
}

function measureGroups(
  pairs: readonly FullPair[],
  groups: GroupCases,
  placesOf: ReadonlyMap<string, readonly number[]>,
  options: DrawOptions,
): MeasuredPairs[] {
  const inGroups: FullPair[][] = Array.from(groups, () => []);
  for (const pair of pairs) {
    for (const place of placesOf.get(pair.id) ?? []) inGroups[place]?.push(pair);
  }
  return inGroups.map((pairs) => {
    const column = measureColumn(pairs, passMeasure);
    const measured = measuredPairs(pairs, column, passMeasure, options);
    return measured.pairs > 1 ? measured : { ...measured, ...untested };
  });
}

/** The groups of each case, by their places among all groups. */
function placesByCase(groups: GroupCases): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [place, ids] of [...groups.values()].entries()) {
    for (const id of ids) {
      const known = places.get(id);
      if (known === undefined) places.set(id, [place]);
      else known.push(place);
    }
  }
  return places;
}
