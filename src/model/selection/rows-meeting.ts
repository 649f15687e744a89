import { setImmediate } from 'node:timers/promises';
import type { IndexedEntry, ReadableRun } from '../readable-run.js';
import type { ResultEntry, RowFacts } from '../result.js';
import { type Condition, isCallFact, isResultField, testOf } from './condition.js';

/** Milliseconds of work before other work gets a turn. */
const slice = 8;

interface Rows {
  readonly rows: readonly RowFacts[];
  /** Reads the values of results. */
  entries(indices: readonly number[]): AsyncIterable<IndexedEntry>;
  /** Reads the calls of a result; only for conditions about them. */
  readonly trace?: ReadableRun['trace'];
}

/** The indices of the rows that meet all conditions. Reads only the values of those that meet what rows tell. */
export async function rowsMeeting(
  { rows, entries, trace }: Rows,
  conditions: readonly Condition[],
  signal?: AbortSignal,
): Promise<ReadonlySet<number>> {
  const isRead = ({ field }: Condition) => isResultField(field) || isCallFact(field);
  const ofFacts = conditions.filter((one) => !isRead(one)).map(testOf);
  const ofValues = conditions.filter(isRead).map(testOf);
  const asksCalls = conditions.some(({ field }) => isCallFact(field));
  const chosen = [...rows.keys()].filter((index) => {
    const row = rows[index] as RowFacts;
    return ofFacts.every((test) => test(row, noValues));
  });
  if (ofValues.length === 0) return new Set(chosen);
  const meeting = new Set<number>();
  let since = performance.now();
  for await (const { index, entry } of entries(chosen)) {
    const row = rows[index] as RowFacts;
    const { result } = entry;
    const values = asksCalls ? { ...result, ...trace?.(index) } : result;
    if (ofValues.every((test) => test(row, () => values))) meeting.add(index);
    if (performance.now() - since < slice) continue;
    await setImmediate();
    signal?.throwIfAborted();
    since = performance.now();
  }
  return meeting;
}

function noValues(): ResultEntry['result'] {
  throw new Error('facts are in the row');
}
