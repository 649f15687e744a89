import type { CallRole, Span } from '../../../../src/model/calls/model-call.js';
import { type Nested, nestedTrace, spanOutcome } from '../../../../src/model/calls/nested-trace.js';
import { isSpent } from '../../../../src/model/calls/run-usage.js';
import type { StoredCall, StoredCalls } from '../../../../src/model/calls/stored-calls.js';
import { isModelCall, type UsageTotals } from '../../../../src/model/calls/usage.js';
import type { Result } from '../../api/schema.js';
import { groupOf, usageByGroup } from '../../components/figures/usage-totals.js';
import { isFailed, shortUrl } from './stored-call.js';

/** What the calls of a result used, and the run that made them if it was another. */
export interface Used {
  readonly usage: Result['usage'] | undefined;
  readonly origin: Result['origin'] | undefined;
}

interface AnyRow {
  readonly level: number;
  readonly name: string;
  /** Seconds after the attempt began; `end` is absent for what has not ended. */
  readonly start: number;
  readonly end?: number | undefined;
}

/** A role with all its calls. */
interface GroupRow extends AnyRow {
  readonly kind: 'group';
  readonly totals: UsageTotals | undefined;
  /** False for calls of another run: their cost is in brackets. */
  readonly isSpent: boolean;
  /** A rule separates it from the line above. */
  readonly isApart: boolean;
}

/** A call. */
export interface CallRow extends AnyRow {
  readonly kind: 'call';
  /** Text after the name. */
  readonly detail: string | undefined;
  readonly call: StoredCall;
  /** As of a group; a recording costs nothing. */
  readonly isSpent: boolean;
  /** Start of the call that repeats it. */
  readonly waitUntil: number | undefined;
}

/** A tool that ran, or a span of the app's OpenTelemetry. */
interface SpanRow extends AnyRow {
  readonly kind: 'span';
  readonly span: Span;
  /** Other spans are in it. */
  readonly isWhole: boolean;
}

/** A line of the timeline. */
export type TimelineRow = GroupRow | CallRow | SpanRow;

/** The subject of a line that is not a group. */
type Done = Nested<StoredCall>;

/** Deeper lines are drawn no deeper. */
const maxDepth = 4;

/** The lines of a timeline: roles in a fixed order, and the calls of each by start. */
export function timelineRows(
  { calls, spans = [] }: StoredCalls,
  { usage, origin }: Used,
): TimelineRow[] {
  const totals = new Map(
    usageByGroup(usage ?? { by_role: {} }).map(({ role, totals: its }) => [role, its]),
  );
  const tries = triesOf(calls);
  const retried = new Map(
    calls.flatMap(({ retry_of, start }) => (retry_of === undefined ? [] : [[retry_of, start]])),
  );
  const parents = new Set([...calls, ...spans].map(({ parent }) => parent));
  const done = nestedTrace(calls, spans);
  const rows: TimelineRow[] = [];
  const group = (name: string, level: number, its: readonly Done[], of?: UsageTotals) => {
    const isApart = level === 1 && rows.length > 0;
    const ends = its.map(({ done: { start, end = start } }) => end);
    const [start, end] = [Math.min(...its.map((one) => one.done.start)), Math.max(...ends)];
    const isOwn = its.every(({ done: { role } }) => isSpent(role, origin));
    rows.push({ kind: 'group', level, name, start, end, totals: of, isSpent: isOwn, isApart });
  };
  const add = ({ done: call, depth }: Done, least: number, owner?: string) => {
    const { start, end } = call;
    const level = least + Math.min(depth, maxDepth);
    if ('kind' in call) {
      const isWhole = parents.has(call.id);
      rows.push({ kind: 'span', level, name: call.name, start, end, span: call, isWhole });
      return;
    }
    const name = owner ?? calledName(call);
    const words = [
      owner === undefined ? undefined : calledName(call),
      call.unknown_model_call === undefined ? undefined : 'not understood',
      call.program === undefined ? undefined : 'its calls are not seen',
      call.retry_of === undefined ? undefined : `${ordinal(tries.get(call.number) ?? 2)} try`,
    ].filter(Boolean);
    rows.push({
      kind: 'call',
      level,
      name,
      start,
      end,
      detail: words.length === 0 ? undefined : words.join(', '),
      call,
      isSpent: call.replayed !== true && isSpent(call.role, origin),
      waitUntil: retried.get(call.number),
    });
  };
  for (const [who, its] of grouped(done, (role) => groupOf(role))) {
    group(who, 1, its, totals.get(who));
    if (who !== 'evaluators') {
      for (const one of its) add(one, 2);
      continue;
    }
    for (const [role, made] of grouped(its, (role) => role)) {
      const name = role.slice(role.indexOf(':') + 1);
      const [only] = made;
      if (made.length === 1 && only !== undefined && !('kind' in only.done)) add(only, 2, name);
      else {
        group(name, 2, made, usage?.by_role[role]);
        for (const one of made) add(one, 3);
      }
    }
  }
  return rows;
}

/** What the lines of a timeline are sorted by. */
export type TimelineOrder = 'start' | 'time' | 'tokens' | 'cost';

/** Calls and spans without their groups, those with most first, and those of which it is not known last. */
export function sortedRows(
  rows: readonly TimelineRow[],
  order: Exclude<TimelineOrder, 'start'>,
): readonly TimelineRow[] {
  const all = rows.flatMap((row) => {
    if (row.kind === 'group') return [];
    return [{ row: { ...row, level: 1 }, amount: amountOf(row, order) }];
  });
  return all
    .sort(
      (a, b) =>
        (b.amount ?? Number.NEGATIVE_INFINITY) - (a.amount ?? Number.NEGATIVE_INFINITY) || 0,
    )
    .map(({ row }) => row);
}

function amountOf(
  row: CallRow | SpanRow,
  order: Exclude<TimelineOrder, 'start'>,
): number | undefined {
  if (order === 'time') return secondsOf(row);
  if (row.kind === 'span') return undefined;
  const { cost, model_call } = row.call;
  // What the run has not spent is in brackets, and comes after what it has.
  if (order === 'cost') return row.isSpent || cost == null ? (cost ?? undefined) : cost - 1e9;
  const { input, output } = model_call?.usage ?? {};
  return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
}

/** Seconds that a call or a span took in its attempt; `undefined` while it has not ended, and for a recording. */
function secondsOf(row: CallRow | SpanRow): number | undefined {
  if (row.end === undefined || (row.kind === 'call' && row.call.replayed === true)) return;
  return Math.max(0, row.end - row.start);
}

/** The call that took longest, if there are several. */
export function slowestOf(rows: readonly TimelineRow[]): TimelineRow | undefined {
  const calls = rows.filter((row) => row.kind === 'call' && secondsOf(row) !== undefined);
  if (calls.length < 2) return undefined;
  return calls.reduce((one, other) =>
    (secondsOf(other as CallRow) ?? 0) > (secondsOf(one as CallRow) ?? 0) ? other : one,
  );
}

/** The called model, the address, or the program. */
function calledName({
  model_call,
  unknown_model_call,
  mcp,
  method,
  url,
  program,
}: StoredCall): string {
  if (program !== undefined) return program;
  if (mcp?.name !== undefined) return `${mcp.method} ${mcp.name}`;
  if (mcp !== undefined) return `${mcp.method} ${shortUrl(url)}`;
  if (unknown_model_call?.model !== undefined) return unknown_model_call.model;
  if (model_call === undefined) return `${method} ${shortUrl(url)}`;
  return model_call.model ?? model_call.response_model ?? model_call.operation;
}

/** Number of tries of each call, including those that it repeats. */
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

function grouped(done: readonly Done[], keyOf: (role: CallRole) => string): [string, Done[]][] {
  const groups = new Map<string, Done[]>();
  for (const one of done) {
    const key = keyOf(one.done.role);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [one]);
    else known.push(one);
  }
  return [...groups].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
}

/** True when there is a call of a model, which have tokens and a cost. */
export function hasModelCalls({ calls }: StoredCalls): boolean {
  return calls.some(isModelCall);
}

/** A time axis from the start of the attempt. */
export interface Axis {
  /** Seconds at its right end. */
  readonly end: number;
  readonly ticks: readonly number[];
}

/** The axis that all calls and spans fit on, with a mark every 1, 2 or 5 of some power of ten. */
export function axisOf({ calls, spans = [] }: StoredCalls, mostTicks: number): Axis {
  const last = Math.max(0.001, ...[...calls, ...spans].map(({ start, end }) => end ?? start));
  const rough = last / mostTicks;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((of) => of * power >= rough * 0.999) ?? 10);
  const steps = Math.ceil(last / step - 1e-9);
  const ticks = Array.from({ length: steps + 1 }, (_, n) => Number((n * step).toPrecision(9)));
  return { end: steps * step, ticks };
}

/** Timelines with at most so many lines are shown whole. */
const mostWhole = 40;

/** Lines that fold under one: what follows it, up to the place `to`. */
export interface TimelineFold {
  readonly to: number;
  /** Seconds after the attempt began. */
  readonly start: number;
  readonly end: number;
  /** `3 tools`, `2 lines, 1 failed`. */
  readonly words: string;
}

/** In a long timeline: what folds under its line, by the places of both. Calls of models never do. */
export function foldsOf(rows: readonly TimelineRow[]): ReadonlyMap<number, TimelineFold> {
  const folds = new Map<number, TimelineFold>();
  if (rows.length <= mostWhole) return folds;
  for (let at = 0; at < rows.length; at += 1) {
    const to = lastOf(rows, at);
    const folded = rows.slice(at + 1, to + 1);
    const ends = folded.map(({ end }) => end).filter((end) => end !== undefined);
    // What has not ended stays in sight.
    if (folded.length === 0 || ends.length < folded.length) continue;
    const start = Math.min(...folded.map((row) => row.start));
    folds.set(at, { to, start, end: Math.max(...ends), words: wordsOf(folded) });
    at = to;
  }
  return folds;
}

/** The places of the lines that are shown. */
export function shownRows(
  count: number,
  folds: ReadonlyMap<number, TimelineFold>,
  unfolded: ReadonlySet<number>,
): readonly number[] {
  const shown: number[] = [];
  for (let at = 0; at < count; at += 1) {
    shown.push(at);
    const fold = folds.get(at);
    if (fold !== undefined && !unfolded.has(at)) at = fold.to;
  }
  return shown;
}

/** The last line that belongs to the step of this one: tools after a call of a model, or what is in a span. */
function lastOf(rows: readonly TimelineRow[], at: number): number {
  const row = rows[at];
  if (row === undefined || row.kind === 'group') return at;
  const isStep = isModelRow(row);
  let last = at;
  for (let next = at + 1; next < rows.length; next += 1) {
    const other = rows[next];
    if (other === undefined || other.kind === 'group') break;
    if (isStep ? other.level < row.level : other.level <= row.level) break;
    if (isModelRow(other)) return isStep ? lastBefore(rows, at, next) : at;
    last = next;
  }
  return last;
}

/** A span with a call of a model in it belongs to no step. */
function lastBefore(rows: readonly TimelineRow[], at: number, call: number): number {
  let last = call - 1;
  for (let level = rows[call]?.level ?? 1; last > at; last -= 1) {
    const row = rows[last];
    if (row === undefined || row.level >= level) break;
    level = row.level;
  }
  return last;
}

function isModelRow(row: TimelineRow): boolean {
  return row.kind === 'call' && row.call.model_call !== undefined;
}

function wordsOf(rows: readonly TimelineRow[]): string {
  const isTool = rows.every((row) => row.kind === 'span' && row.span.kind === 'tool');
  const isSpan = rows.every(({ kind }) => kind === 'span');
  const noun = isTool ? 'tool' : isSpan ? 'span' : 'line';
  const failed = rows.filter(hasFailed).length;
  const words = rows.length === 1 ? `1 ${noun}` : `${rows.length} ${noun}s`;
  return failed === 0 ? words : `${words}, ${failed} failed`;
}

function hasFailed(row: TimelineRow): boolean {
  if (row.kind === 'call') return isFailed(row.call);
  return row.kind === 'span' && spanOutcome(row.span) !== '';
}
