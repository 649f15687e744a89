import { setImmediate } from 'node:timers/promises';
import { besideParts } from '../../model/calls/run-usage.js';
import type { JsonObject } from '../../model/json.js';
import { fieldText } from '../../model/result-field.js';
import { type Condition, isPlannedField, isResultField } from '../../model/selection/condition.js';
import {
  type GroupBy,
  type GroupOrder,
  isPlannedValue,
  type KeysOf,
  type RowGroup,
  rowGroup,
  sortGroups,
} from '../../model/summary/row-groups.js';
import { readEvents } from '../../store/log/entry-reading.js';
import type { RowSource } from './light-row.js';
import type { RowOrder } from './row-order.js';
import type { WholeRun } from './row-summary.js';
import { foldTrials } from './trials.js';

/** Maximum groups of a table: the largest ones. */
export const mostTableGroups = 500;

/** The matching rows of a table in groups. A row with several labels is in several groups. */
export interface GroupedRows {
  /** Indices of the results of each group, in the order of the rows. */
  readonly indices: readonly Uint32Array[];
  /** The rows of the list, group after group. */
  list(fold: boolean): Uint32Array;
  /** `rows`: those of the list, less than `results` if trials are folded. */
  groups(fold: boolean): readonly (RowGroup & { readonly rows: number })[];
}

/**
 * Groups sorted rows. Rows that share their key with no other, or with too few, are in the last group, which has no
 * key.
 */
export function groupRows(
  { rows, scales, unlisted }: Pick<WholeRun, 'rows' | 'scales' | 'unlisted'>,
  indices: Uint32Array,
  {
    keysOf,
    order,
    countsOnly,
  }: { readonly keysOf: KeysOf; readonly order: RowOrder; readonly countsOnly: boolean },
): GroupedRows {
  const members = membersOf(rows, indices, keysOf);
  const beside = besideParts(rows, unlisted);
  const figures: RowGroup[] = [];
  for (const [key, its] of members) {
    const grouped = its.flatMap((index) => rows[index] ?? []);
    figures.push(rowGroup(key, grouped, { scales, countsOnly, beside }));
  }
  const sorted = sortGroups(figures, groupOrderOf(order));
  const all = sorted.map(({ key }) => Uint32Array.from(members.get(key) ?? []));
  const folded = all.map((group) => foldTrials(rows, group));
  const lists = (fold: boolean) => (fold ? folded : all);
  return {
    indices: all,
    list: (fold) => joined(lists(fold)),
    groups: (fold) => sorted.map((group, n) => ({ ...group, rows: lists(fold)[n]?.length ?? 0 })),
  };
}

function membersOf(
  rows: WholeRun['rows'],
  indices: Uint32Array,
  keysOf: KeysOf,
): Map<string | null, number[]> {
  const members = new Map<string | null, number[]>();
  const keys = Array.from(indices, (index) => {
    const row = rows[index];
    return row === undefined ? [] : keysOf(row, index);
  });
  const sizes = new Map<string, number>();
  for (const key of keys.flat()) if (key !== null) sizes.set(key, (sizes.get(key) ?? 0) + 1);
  const largest = [...sizes].filter(([, size]) => size > 1).sort(([, a], [, b]) => b - a);
  for (const [key] of largest.slice(0, mostTableGroups)) members.set(key, []);
  const others: number[] = [];
  for (const [at, index] of indices.entries()) {
    const groups = (keys[at] ?? [])
      .map((key) => members.get(key))
      .filter((group) => group !== undefined);
    if (groups.length === 0) others.push(index);
    for (const group of groups) group.push(index);
  }
  return others.length === 0 ? members : members.set(null, others);
}

/** The order of groups that goes with an order of rows. */
function groupOrderOf({ by, descending }: RowOrder): GroupOrder {
  if (typeof by === 'object') return { by: 'score' in by ? by : 'key', descending };
  if (by === 'index' || by === 'status') return { by: 'passed', descending };
  return { by: by === 'function' || by === 'dataset' ? 'key' : by, descending };
}

function joined(lists: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    all.set(list, at);
    at += list.length;
  }
  return all;
}

/** True for a condition that no outcome decides. `source`: what the results are read from, unless it is a file. */
export async function isPlannedCondition(
  { field }: Condition,
  source: RowSource | undefined,
): Promise<boolean> {
  if (!isPlannedField(field)) return false;
  return source === undefined || !isResultField(field) || isPlanned(source, field);
}

/** True when the value that results are chosen or grouped by is authored, so that no outcome decides it. */
export async function isPlanned({ rows, file }: RowSource, by: GroupBy): Promise<boolean> {
  if (typeof by === 'string' || by.of !== 'metadata') return isPlannedValue(by);
  const textOf = (metadata: JsonObject) =>
    fieldText({ metadata, input: null, output: null, reference: null }, by);
  file.retain();
  try {
    const all = rows.map((row, index) => ({ index, row }));
    let read = 0;
    for await (const { events } of readEvents(file, all)) {
      let authored: string | null = null;
      for (const { event } of events) {
        if (event.type === 'planned') authored = textOf(event.metadata);
        else if ('metadata' in event && event.metadata !== undefined) {
          if (textOf(event.metadata) !== authored) return false;
        }
      }
      read += 1;
      if (read % 256 === 0) await setImmediate();
    }
    return true;
  } finally {
    file.release();
  }
}
