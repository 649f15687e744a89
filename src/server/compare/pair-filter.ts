import { type Change, changes } from '../../compare/cases/change.js';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import { roundingTolerance } from '../../statistics/rounding-tolerance.js';
import { FacetCounter, FacetCounts, type RowFacets } from '../rows/facets.js';
import { type Choice, filterNames, isSet, type Misses, type RowFilter } from '../rows/filters.js';
import type { RowTable } from '../rows/row-table.js';
import { measureOf, type PairMeasure } from './pair-order.js';
import type { PairTable } from './pair-table.js';

/** A change in one of the compared runs, by its position, or in any run except the base. */
export interface ChangeRule {
  readonly change: Change;
  readonly run?: number;
}

/** A difference from the base in a measure, other − base, in any run: its direction, or how large it is. */
export interface DifferenceRule {
  readonly by: PairMeasure;
  readonly is:
    | 'lower'
    | 'higher'
    | 'other'
    | { readonly atLeast: number }
    | { readonly atMost: number };
}

/** A filter for pairs. */
export interface PairFilter {
  readonly rows: RowFilter;
  readonly change?: Choice<ChangeRule>;
  readonly difference?: Choice<DifferenceRule>;
  /** Only pairs whose verdicts differ between the runs, or do not: see `PairTable.differs`. */
  readonly differ?: boolean | undefined;
}

/** The result of a filter for each pair and row. */
export interface PairJudgement {
  /** 1 for each pair that matches all filters of rows, and `difference`. */
  readonly left: Uint8Array;
  /** 1 for each pair that matches the filters of pairs: `change` and `differ`. */
  readonly meetsOwn: Uint8Array;
  /** For each run and row, the kinds of filters that exclude the row or its pair. */
  readonly misses: readonly Misses[];
}

/**
 * Applies every kind of filter to pairs. A pair matches when one of its rows, in any run, has all included values, and
 * none of its rows has an excluded one; the same applies to changes.
 */
export async function judgePairs(
  table: PairTable,
  runs: readonly RowTable[],
  filter: PairFilter,
  signal?: AbortSignal,
): Promise<PairJudgement> {
  const judge = (side: 'include' | 'exclude') =>
    Promise.all(runs.map((run) => run.misses(onlyOf(filter.rows, side), signal)));
  const unwanted = await judge('include');
  const excluded = await judge('exclude');
  const left = new Uint8Array(table.length);
  const meetsOwn = new Uint8Array(table.length);
  // A row of no pair matches nothing.
  const misses = runs.map((run) => new Uint32Array(run.rows.length).fill(everyKind));
  const differs = differenceTest(table, filter.difference);
  for (let pair = 0; pair < table.length; pair += 1) {
    let kinds = differs(pair) ? 0 : everyKind;
    for (const [run, missed] of excluded.entries()) {
      for (const index of table.rowsOf(pair, run)) kinds |= missed[index] ?? 0;
    }
    for (const [run, judged] of misses.entries()) {
      for (const index of table.rowsOf(pair, run)) {
        judged[index] = (unwanted[run]?.[index] ?? 0) | kinds;
        if (judged[index] === 0) left[pair] = 1;
      }
    }
    meetsOwn[pair] = isWanted(table, pair, filter) ? 1 : 0;
  }
  return { left, meetsOwn, misses };
}

/** Prepares the test of pairs by their differences. */
function differenceTest(
  table: PairTable,
  choice: Choice<DifferenceRule> | undefined,
): (pair: number) => boolean {
  if (choice === undefined || !isSet(choice)) return () => true;
  const testsOf = (rules: readonly DifferenceRule[]) =>
    rules.map(({ by, is }) => {
      const { read } = measureOf(table, by);
      return (pair: number) => differencesIn(table, pair, read).some((one) => meets(one, is));
    });
  const [include, exclude] = [testsOf(choice.include), testsOf(choice.exclude)];
  return (pair) =>
    !exclude.some((test) => test(pair)) &&
    (include.length === 0 || include.some((test) => test(pair)));
}

/** The differences of a pair from the base, of the runs that have the measure; what rounding alone can cause is 0. */
function differencesIn(
  table: PairTable,
  pair: number,
  read: (evalCase: EvalCase) => number | null,
): readonly number[] {
  const values = table.runs.map((_, run) => {
    const evalCase = table.evalCase(pair, run);
    return evalCase === undefined ? null : read(evalCase);
  });
  const [base = null, ...others] = values;
  if (base === null) return [];
  return others.flatMap((other) => {
    if (other === null) return [];
    const isRounding = Math.abs(other - base) <= roundingTolerance([base], [other]);
    return [isRounding ? 0 : other - base];
  });
}

function meets(difference: number, is: DifferenceRule['is']): boolean {
  if (is === 'lower') return difference < 0;
  if (is === 'higher') return difference > 0;
  if (is === 'other') return difference !== 0;
  return 'atLeast' in is ? difference >= is.atLeast : difference <= is.atMost;
}

function isWanted(table: PairTable, pair: number, { change, differ }: PairFilter): boolean {
  if (differ !== undefined && table.differs(pair) !== differ) return false;
  return change === undefined || hasChange(table, pair, change);
}

function hasChange(table: PairTable, pair: number, choice: Choice<ChangeRule>): boolean {
  const { include, exclude } = choice;
  if (!isSet(choice)) return true;
  const meets = ({ change, run }: ChangeRule) =>
    run === undefined
      ? table.runs.some((_, one) => table.change(pair, one) === change)
      : table.change(pair, run) === change;
  return !exclude.some(meets) && (include.length === 0 || include.some(meets));
}

/** The included or the excluded part of a filter. */
function onlyOf(filter: RowFilter, side: 'include' | 'exclude'): RowFilter {
  const none = { include: [], exclude: [] };
  const parts = filterNames.map(
    (name) => [name, { ...none, [side]: filter[name]?.[side] ?? [] }] as const,
  );
  return Object.fromEntries(parts.filter(([, choice]) => isSet(choice)));
}

/** The bits for pairs that the filters of pairs exclude: their rows count for no filter of rows. */
const everyKind = 0xffff_ffff;

/**
 * Counts how many pairs each value of the filters of rows would match, given all other filters. A pair counts once per
 * value, however many of its rows have it.
 */
export function rowFacetsOf(
  table: PairTable,
  runs: readonly RowTable[],
  { left, meetsOwn, misses }: PairJudgement,
): RowFacets {
  const counter = new FacetCounter();
  for (const pair of left.keys()) {
    for (const [run, current] of runs.entries()) {
      for (const index of table.rowsOf(pair, run)) {
        const row = current.rows[index];
        if (row === undefined) continue;
        const missed = meetsOwn[pair] === 1 ? (misses[run]?.[index] ?? 0) : everyKind;
        counter.add(row, missed, pair, current);
      }
    }
  }
  return counter.facets();
}

/** Counts the pairs with each change, in any run except the base, among those that match all filters of rows. */
export function changeFacets(table: PairTable, { left }: PairJudgement) {
  const kinds = new FacetCounts<Change>(changes);
  for (const [pair, isLeft] of left.entries()) {
    if (isLeft === 0) continue;
    for (const run of table.runs.keys()) {
      const change = table.change(pair, run);
      if (change !== null) kinds.add(change, pair);
    }
  }
  return kinds.values();
}

/** Counts the pairs whose verdicts differ, and the others, among those that match all filters of rows. */
export function differFacets(table: PairTable, { left }: PairJudgement) {
  const counts = new FacetCounts<boolean>([true, false]);
  for (const [pair, isLeft] of left.entries()) {
    if (isLeft === 1) counts.add(table.differs(pair), pair);
  }
  return counts.values();
}
