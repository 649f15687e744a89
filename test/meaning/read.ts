import type { ServedProject } from '../helpers/served-project.js';
import { EventList } from '../server/event-list.js';

/** What the surfaces say of each figure: `{ 'pass rate': { terminal: '70.2 % 33 of 47 56.0–81.3' } }`. */
export type Said = Record<string, Record<string, string>>;

/**
 * What a pattern finds: the parts that it names `a`, `b`, … in this order, with single spaces between. If it finds
 * nothing, the answer says where it looked.
 */
export function find(text: string, pattern: RegExp): string {
  const groups = pattern.exec(text)?.groups;
  if (groups === undefined) return `${pattern} is not in:\n${text}`;
  return Object.keys(groups)
    .sort()
    .map((name) => groups[name]?.trim())
    .join(' ')
    .replace(/\s+/g, ' ');
}

interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/** A share, its counts and its interval, rounded as on every surface: `70.2 % 33 of 47 56.0–81.3`. */
export function rateText(passed: number, of: number, { low, high }: Interval): string {
  const percent = (one: number | null) => (100 * (one ?? Number.NaN)).toFixed(1);
  return `${percent(passed / of)} % ${passed} of ${of} ${percent(low)}–${percent(high)}`;
}

/** A mean, its count and its interval: `2.651 mean of 43 2.284–2.973`. */
export function meanText(mean: number, count: number, { low, high }: Interval): string {
  const plain = (one: number | null) => Number((one ?? Number.NaN).toFixed(3));
  return `${plain(mean)} mean of ${count} ${plain(low)}–${plain(high)}`;
}

/** The `run` event of what is done to a run. */
export async function runEventOf(served: ServedProject, runId: string, act: () => Promise<void>) {
  const events = new EventList();
  const leave = new AbortController();
  const { body } = await fetch(`${served.url}/api/events`, { signal: leave.signal });
  const feed = async () => {
    const decoder = new TextDecoder();
    for await (const piece of body ?? []) events.feed(decoder.decode(piece, { stream: true }));
  };
  const left = feed().catch(() => undefined);
  await act();
  const { data } = await events.next('run', ({ run_id }) => run_id === runId);
  leave.abort();
  await left;
  return data;
}
