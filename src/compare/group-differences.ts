import { caseIdOf, type RowFacts } from '../model/result.js';
import { eachInSteps, type Steps } from '../model/steps.js';
import type { GroupBy, KeysOf, RowGroup } from '../model/summary/row-groups.js';
import { holm } from '../statistics/holm.js';
import type { EvalCase } from './cases/eval-case.js';
import {
  alikePairs,
  type FullPair,
  isFullPair,
  pairCases,
  testedPairs,
} from './cases/pair-cases.js';
import { type MeasureDifference, measureDifference } from './compare-cases.js';
import { measureColumn, passMeasure } from './differences/measure-columns.js';
import { chanceLevel, type DrawOptions } from './differences/paired-difference.js';

/** The pass rate of a group in two runs; plain JSON. `beyond_chance` is by the adjusted p-value. */
export interface GroupDifference extends MeasureDifference {
  /** The p-value with Holm's correction over all groups of the run; `null` if the group is not tested. */
  readonly adjusted_p_value: number | null;
}

/** A group with its difference from the previous run; plain JSON. */
export interface ComparedGroup extends RowGroup {
  /** Absent if groups are not compared. */
  readonly difference?: GroupDifference;
}

/** The run that groups are compared with: the previous one of the session; plain JSON. */
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
export function* casesByKey(rows: readonly RowFacts[], keysOf: KeysOf): Steps<GroupCases> {
  const groups = new Map<string | null, Set<string>>();
  yield* eachInSteps(rows, (row, index) => {
    if (row.pruned === true) return;
    for (const key of keysOf(row, index)) {
      const ids = groups.get(key);
      if (ids === undefined) groups.set(key, new Set([caseIdOf(row)]));
      else ids.add(caseIdOf(row));
    }
  });
  return groups;
}

/**
 * Compares the pass rate of each group with that of the same cases in a base, over all their finished trials, without
 * those that were carried over. Groups with fewer than two pairs are not tested.
 */
export function* groupDifferences(
  base: readonly EvalCase[],
  other: readonly EvalCase[],
  groups: GroupCases,
  options: DrawOptions = {},
): Steps<ReadonlyMap<string | null, GroupDifference>> {
  const full = new Map<string, FullPair>();
  const pairs = alikePairs(testedPairs((yield* pairCases(base, other)).filter(isFullPair)));
  yield* eachInSteps(pairs, (pair) => full.set(pair.id, pair));
  const differences: [string | null, MeasureDifference][] = [];
  for (const [key, ids] of groups) {
    const pairs = [...ids].flatMap((id) => full.get(id) ?? []);
    const column = yield* measureColumn(pairs, passMeasure);
    differences.push([key, yield* measureDifference(pairs, column, passMeasure, options)]);
  }
  const tested = differences.filter(([, { pairs, p_value }]) => pairs > 1 && p_value !== null);
  const adjusted = holm(tested.map(([, { p_value }]) => p_value ?? 1));
  const adjustedOf = new Map(tested.map(([key], at) => [key, adjusted[at] ?? 1]));
  return new Map(
    differences.map(([key, difference]) => {
      const p = adjustedOf.get(key) ?? null;
      return [
        key,
        {
          ...difference,
          ...(p === null && { p_value: null, p_lower: null, p_higher: null }),
          adjusted_p_value: p,
          beyond_chance: p !== null && p < chanceLevel,
        },
      ];
    }),
  );
}
