import { isFailed, spanOutcome } from './stored-call.js';
import type { TimelineRow } from './timeline-rows.js';

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
    const times = folded.map(timesOf);
    const ends = times.map(({ end }) => end).filter((end) => end !== undefined);
    // What has not ended stays in sight.
    if (folded.length === 0 || ends.length < folded.length) continue;
    const start = Math.min(...times.map((time) => time.start));
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
  const isStep = isModelCall(row);
  let last = at;
  for (let next = at + 1; next < rows.length; next += 1) {
    const other = rows[next];
    if (other === undefined || other.kind === 'group') break;
    if (isStep ? other.level < row.level : other.level <= row.level) break;
    if (isModelCall(other)) return isStep ? lastBefore(rows, at, next) : at;
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

function isModelCall(row: TimelineRow): boolean {
  return row.kind === 'call' && row.call.model_call !== undefined;
}

function timesOf(row: TimelineRow): { readonly start: number; readonly end?: number } {
  return row.kind === 'call' ? row.call : row.kind === 'span' ? row.span : row;
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
