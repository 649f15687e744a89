import { caseIdOf, type RowFacts } from '../model/result.js';
import type { GroupBy, KeysOf, RowGroup } from '../model/summary/row-groups.js';
import type { EvalCase } from './cases/eval-case.js';
import {
  alikePairs,
  type FullPair,
  isFullPair,
  pairCases,
  testedPairs,
} from './cases/pair-cases.js';
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
  const full = new Map<string, FullPair>();
  const pairs = alikePairs(testedPairs(pairCases(base, other).filter(isFullPair)));
  for (const pair of pairs) {
    full.set(pair.id, pair);
  }
  const differences: MeasuredPairs[] = [];
  for (const ids of groups.values()) {
    const pairs = [...ids].flatMap((id) => full.get(id) ?? []);
    const column = measureColumn(pairs, passMeasure);
    const measured = measuredPairs(pairs, column, passMeasure, options);
    differences.push(measured.pairs > 1 ? measured : { ...measured, ...untested });
  }
  const judged = judgeFamily(differences);
  const keys = [...groups.keys()];
  return new Map(
    differences.map((one, at) => [keys[at] ?? null, { ...one, ...(judged[at] ?? undecided) }]),
  );
}
