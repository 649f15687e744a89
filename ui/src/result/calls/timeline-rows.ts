import type { StoredCall, StoredCalls } from '../../../../src/model/stored-calls.js';
import type { UsageTotals } from '../../../../src/model/usage.js';
import type { Usage } from '../../api/schema.js';
import { groupOf, usageByGroup } from '../../components/figures/usage-totals.js';
import { shortUrl } from './exchange.js';

/** What the calls of somebody took together. */
interface SpanRow {
  readonly kind: 'span';
  readonly level: number;
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly totals: UsageTotals | undefined;
  /** A rule parts it from what is above. */
  readonly isApart: boolean;
}

/** A call. */
export interface CallRow {
  readonly kind: 'call';
  readonly level: number;
  readonly name: string;
  /** What there is to say after the name. */
  readonly detail: string | undefined;
  readonly call: StoredCall;
  /** When the call that repeats it began. */
  readonly waitUntil: number | undefined;
}

/** A line of the timeline. */
export type TimelineRow = SpanRow | CallRow;

/** The lines of a timeline: those who made calls in a fixed order, and their calls in the order of their start. */
export function timelineRows({ calls }: StoredCalls, usage: Usage | undefined): TimelineRow[] {
  const totals = new Map(
    usageByGroup(usage ?? { by_role: {} }).map(({ role, totals: its }) => [role, its]),
  );
  const tries = triesOf(calls);
  const retried = new Map(
    calls.flatMap(({ retry_of, start }) => (retry_of === undefined ? [] : [[retry_of, start]])),
  );
  const rows: TimelineRow[] = [];
  const span = (name: string, level: number, its: readonly StoredCall[], of?: UsageTotals) => {
    const isApart = level === 1 && rows.length > 0;
    const ends = its.map(({ start, end }) => end ?? start);
    const [start, end] = [Math.min(...its.map((call) => call.start)), Math.max(...ends)];
    rows.push({ kind: 'span', level, name, start, end, totals: of, isApart });
  };
  const add = (call: StoredCall, level: number, owner?: string) => {
    const name = owner ?? calledName(call);
    const words = [
      owner === undefined ? undefined : calledName(call),
      call.retry_of === undefined ? undefined : `${ordinal(tries.get(call.number) ?? 2)} try`,
    ].filter(Boolean);
    rows.push({
      kind: 'call',
      level,
      name,
      detail: words.length === 0 ? undefined : words.join(', '),
      call,
      waitUntil: retried.get(call.number),
    });
  };
  for (const [group, its] of grouped(calls, ({ role }) => groupOf(role))) {
    span(group, 1, its, totals.get(group));
    if (group !== 'evaluators') {
      for (const call of its) add(call, 2);
      continue;
    }
    for (const [role, made] of grouped(its, (call) => call.role)) {
      const name = role.slice(role.indexOf(':') + 1);
      const [only] = made;
      if (made.length === 1 && only !== undefined) add(only, 2, name);
      else {
        span(name, 2, made, usage?.by_role[role]);
        for (const call of made) add(call, 3);
      }
    }
  }
  return rows;
}

/** What was called: the model that was asked for, or the address. */
function calledName({ model_call, method, url }: StoredCall): string {
  if (model_call === undefined) return `${method} ${shortUrl(url)}`;
  return model_call.model ?? model_call.response_model ?? model_call.operation;
}

/** How often each call was tried, with those that it repeats. */
function triesOf(calls: readonly StoredCall[]): Map<number, number> {
  const tries = new Map<number, number>();
  for (const { number, retry_of } of calls) {
    tries.set(number, retry_of === undefined ? 1 : (tries.get(retry_of) ?? 1) + 1);
  }
  return tries;
}

function ordinal(n: number): string {
  const isTeen = n % 100 >= 11 && n % 100 <= 13;
  return `${n}${(!isTeen && ['', 'st', 'nd', 'rd'][n % 10]) || 'th'}`;
}

const order = ['target', 'body', 'evaluators', 'file'];

function grouped(
  calls: readonly StoredCall[],
  keyOf: (call: StoredCall) => string,
): [string, StoredCall[]][] {
  const groups = new Map<string, StoredCall[]>();
  for (const call of calls) {
    const key = keyOf(call);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [call]);
    else known.push(call);
  }
  return [...groups].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** A time axis from the start of the attempt. */
export interface Axis {
  /** Seconds at its right end. */
  readonly end: number;
  readonly ticks: readonly number[];
}

/** The axis that all calls fit on, with a mark every 1, 2 or 5 of some power of ten. */
export function axisOf(calls: readonly StoredCall[], mostTicks: number): Axis {
  const last = Math.max(0.001, ...calls.map(({ start, end }) => end ?? start));
  const rough = last / mostTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((of) => of * power >= rough * 0.999) ?? 10);
  const steps = Math.ceil(last / step - 1e-9);
  const ticks = Array.from({ length: steps + 1 }, (_, n) => Number((n * step).toPrecision(9)));
  return { end: steps * step, ticks };
}
