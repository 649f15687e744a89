import { setImmediate } from 'node:timers/promises';
import type { Change } from '../../model/compare/change.js';
import type { Choice, RowFilter } from '../rows/row-filter.js';
import type { CurrentTable } from '../rows/row-tables.js';
import type { PairTable } from './pair-table.js';

/** A change in one run, by its position among the runs compared, or in any of those but the base. */
export interface ChangeRule {
  readonly change: Change;
  readonly run?: number;
}

/** Which pairs are asked for. */
export interface PairFilter {
  readonly rows: RowFilter;
  readonly change: Choice<ChangeRule>;
}

/** Pairs that match everything, and those that match all but what is asked of changes: in their first order. */
export interface MatchingPairs {
  readonly pairs: Uint32Array;
  readonly anyChange: Uint32Array;
}

/**
 * Finds pairs. A pair matches when a row of it, in whichever run, is all that is wanted at once, and no row of it, in any
 * run, is anything that is excluded; the same goes for changes.
 */
export async function matchPairs(
  table: PairTable,
  runs: readonly CurrentTable[],
  { rows, change }: PairFilter,
  signal?: AbortSignal,
): Promise<MatchingPairs> {
  const wanted = await markWanted(table, runs, onlyOf(rows, 'include'), signal);
  const excluded = await markExcluded(table, runs, onlyOf(rows, 'exclude'), signal);
  const anyChange = allPairs(table).filter(
    (pair) =>
      (wanted === undefined || isMarked(table, pair, wanted)) &&
      (excluded === undefined || !isMarked(table, pair, excluded)),
  );
  await setImmediate();
  return { pairs: anyChange.filter((pair) => hasChange(table, pair, change)), anyChange };
}

/** For each run 1 for every unit that is marked. */
type Marks = readonly Uint8Array[];

/** Marks units with a row that matches; `undefined` when the filter asks for nothing. */
async function markWanted(
  table: PairTable,
  runs: readonly CurrentTable[],
  filter: RowFilter,
  signal: AbortSignal | undefined,
): Promise<Marks | undefined> {
  return asksNothing(filter)
    ? undefined
    : markEach(table, runs, (current) => matchingRows(current, filter, signal));
}

/** Marks units with a row that does not match; `undefined` when the filter asks for nothing. */
async function markExcluded(
  table: PairTable,
  runs: readonly CurrentTable[],
  filter: RowFilter,
  signal: AbortSignal | undefined,
): Promise<Marks | undefined> {
  if (asksNothing(filter)) return undefined;
  return markEach(table, runs, async (current) => {
    const misses = new Uint8Array(current.table.rows.length).fill(1);
    for (const index of await matchingRows(current, filter, signal)) misses[index] = 0;
    return Uint32Array.from(misses.keys()).filter((index) => misses[index] === 1);
  });
}

async function markEach(
  table: PairTable,
  runs: readonly CurrentTable[],
  choose: (current: CurrentTable) => Promise<Uint32Array>,
): Promise<Marks> {
  const marks: Uint8Array[] = [];
  for (const [position, run] of table.runs.entries()) {
    const current = runs[position];
    marks.push(run.mark(current === undefined ? new Uint32Array(0) : await choose(current)));
  }
  return marks;
}

async function matchingRows(
  { table, source }: CurrentTable,
  filter: RowFilter,
  signal: AbortSignal | undefined,
): Promise<Uint32Array> {
  const order = { by: 'index', descending: false } as const;
  return (await table.query(source, { filter, order }, signal)).indices;
}

/** The part of a filter that wants rows, or the part that keeps them out. */
function onlyOf(filter: RowFilter, side: 'include' | 'exclude'): RowFilter {
  const part = <T>(choice: Choice<T>): Choice<T> => ({
    include: side === 'include' ? choice.include : [],
    exclude: side === 'exclude' ? choice.exclude : [],
  });
  return {
    dataset: part(filter.dataset),
    label: part(filter.label),
    status: part(filter.status),
    score: part(filter.score),
    has: part(filter.has),
    flaky: part(filter.flaky),
    latency: part(filter.latency),
    search: side === 'include' ? filter.search : '',
  };
}

function asksNothing({ search, ...choices }: RowFilter): boolean {
  return (
    search === '' &&
    Object.values(choices).every(({ include, exclude }) => include.length + exclude.length === 0)
  );
}

function allPairs({ length }: PairTable): Uint32Array {
  return Uint32Array.from(new Uint8Array(length).keys());
}

function isMarked(table: PairTable, pair: number, marks: Marks): boolean {
  return marks.some((units, run) => units[table.number(pair, run)] === 1);
}

function hasChange(
  table: PairTable,
  pair: number,
  { include, exclude }: Choice<ChangeRule>,
): boolean {
  const meets = (rule: ChangeRule) =>
    rule.run === undefined
      ? table.runs.some((_, run) => table.change(pair, run) === rule.change)
      : table.change(pair, rule.run) === rule.change;
  return !exclude.some(meets) && (include.length === 0 || include.some(meets));
}
