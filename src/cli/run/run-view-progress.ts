import type { ChalkInstance } from 'chalk';
import { RunUsageSum } from '../../model/calls/run-usage.js';
import { hasVerdict, passes } from '../../model/result.js';
import type { CallControl } from '../../model-calls/call-limiter.js';
import type { FinishedResult } from '../../runner/events.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { renderElapsed } from '../../text/duration-text.js';
import { renderCost, renderDollars, takenText } from '../../text/usage-text.js';
import { fitWidth } from '../terminal/terminal-text.js';

/** A part of a progress line. */
interface ProgressPart {
  readonly text: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet';
}

/** Effects of limits and rates so far. */
export type CallProgress = Pick<CallControl, 'budget' | 'waited'>;

// Minimum time over which the rate is averaged; a shorter time makes it jump with every burst of results.
const memorySeconds = 5;
const sampleSeconds = 0.25;

const regradedRow = { origin: { kind: 'regraded' } } as const;

/** Counts the results of an execution and estimates the remaining time. */
export class RunProgress {
  total = 0;
  done = 0;
  passed = 0;
  errors = 0;
  #judged = 0;
  /** Rows of which only the grading runs: the calls of their targets were made before. */
  regraded: ReadonlySet<number> = new Set();
  readonly #usage = new RunUsageSum();
  #state: 'running' | 'paused' | 'stopping' = 'running';
  #rate: number | undefined;
  #sample = { at: 0, done: 0 };
  readonly #now: () => number;
  readonly #start: number;
  readonly #calls: () => CallProgress | undefined;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number, calls: () => CallProgress | undefined = () => undefined) {
    this.#now = now;
    this.#calls = calls;
    this.#start = now();
  }

  /** Seconds since the execution was opened. */
  get elapsed(): number {
    return (this.#now() - this.#start) / 1000;
  }

  count(results: readonly FinishedResult[]): void {
    this.done += results.length;
    for (const { index, outcome, usage } of results) {
      this.#usage.add({ usage, ...(this.regraded.has(index) && regradedRow) });
      if (outcome.status === 'error') this.errors += 1;
      else if (hasVerdict(outcome)) this.#judged += 1;
      if (passes(outcome)) this.passed += 1;
    }
  }

  change(state: 'running' | 'paused' | 'stopping'): void {
    // Time while the run is paused does not count for the rate.
    this.#sample = { at: this.elapsed, done: this.done };
    this.#state = state;
  }

  /** The estimated remaining seconds; `undefined` if unknown. */
  remaining(): number | undefined {
    this.#updateRate();
    if (this.#state !== 'running' || this.#rate === undefined || this.#rate <= 0) return undefined;
    return (this.total - this.done) / this.#rate;
  }

  /** The parts of a progress line, in order. */
  parts(): ProgressPart[] {
    const parts: ProgressPart[] = [
      { text: `${renderCount(this.done)} of ${renderCount(this.total)}`, tone: 'plain' },
    ];
    if (this.#judged > 0) parts.push({ text: `${renderCount(this.passed)} passed`, tone: 'good' });
    const errors = `${renderCount(this.errors)} ${this.errors === 1 ? 'error' : 'errors'}`;
    parts.push({ text: errors, tone: this.errors > 0 ? 'bad' : 'quiet' });
    const calls = this.#calls();
    const used = [this.#callText(), this.#costText(calls), this.#takenText()]
      .filter(Boolean)
      .join(' ');
    if (used !== '') parts.push({ text: used, tone: 'quiet' });
    const time = `${renderElapsed(this.elapsed)}${waitedText(calls)}${this.#ending()}`;
    parts.push({ text: time, tone: 'quiet' });
    return parts;
  }

  #callText(): string {
    const calls = this.#usage.usage()?.calls ?? 0;
    return calls === 0 ? '' : countOf(calls, 'call');
  }

  /** `(60 replayed: 88 calls, $0.20)`. */
  #takenText(): string {
    const { replayed } = this.#usage.usage()?.taken ?? {};
    return replayed === undefined ? '' : takenText({ taken: { replayed } });
  }

  /** `$0.94`; with a budget, the spending including running attempts: `$0.94 of $5`. */
  #costText({ budget }: Partial<CallProgress> = {}): string {
    if (budget !== undefined) {
      const { spent, unpriced, maxCost } = budget;
      const most = renderDollars(maxCost).replace(/\.00$/, '');
      return `${renderCost({ cost: spent, unpriced })} of ${most}`;
    }
    const usage = this.#usage.usage();
    return usage === undefined || usage.calls === 0 || usage.cost === null ? '' : renderCost(usage);
  }

  #ending(): string {
    if (this.#state !== 'running') return `, ${this.#state}`;
    const left = this.remaining();
    return left === undefined || this.done >= this.total ? '' : `, ${renderElapsed(left)} left`;
  }

  /** A moving average over the last third of the time, but at least over some seconds. */
  #updateRate(): void {
    const at = this.elapsed;
    const seconds = at - this.#sample.at;
    if (this.#state !== 'running' || seconds < sampleSeconds) return;
    const rate = (this.done - this.#sample.done) / seconds;
    this.#sample = { at, done: this.done };
    if (this.#rate === undefined) {
      if (this.done > 0) this.#rate = this.done / at;
      return;
    }
    const weight = 1 - Math.exp(-seconds / Math.max(memorySeconds, at / 3));
    this.#rate += (rate - this.#rate) * weight;
  }
}

/** ` (waited 6.0 s)`: the time in which calls of the model that was held longest waited. */
function waitedText({ waited = [] }: Partial<CallProgress> = {}): string {
  const [, seconds = 0] = waited[0] ?? [];
  return seconds < 0.05 ? '' : ` (waited ${renderElapsed(seconds)})`;
}

const widestBar = 24;
const narrowestBar = 6;
const indent = '  ';

/** Renders the progress of a run as one line of at most `columns` columns. */
export function renderProgressLine(
  progress: RunProgress,
  columns: number,
  colours: ChalkInstance,
): string {
  const parts = progress.parts();
  const loose = join(parts, '   ');
  const cells = Math.min(widestBar, columns - loose.length - indent.length - 3);
  if (cells >= narrowestBar) {
    const share = progress.total === 0 ? 0 : progress.done / progress.total;
    const bar = colours.cyan(renderCells(share, cells));
    return `${indent}${bar}   ${join(parts, '   ', colours)}`;
  }
  const tight = indent + join(parts, '  ');
  return tight.length <= columns ? indent + join(parts, '  ', colours) : fitWidth(tight, columns);
}

/** Decides when a log gets a progress line: every 10 s or 10 %, whichever is rarer. */
export class PlainProgress {
  #seconds = 0;
  #done = 0;

  /** The lines to print now, if any. */
  lines(progress: RunProgress): string[] {
    const { elapsed, done, total } = progress;
    // The report that follows is enough.
    if (done >= total) return [];
    if (elapsed - this.#seconds < 10 || done - this.#done < total / 10) return [];
    this.#seconds = elapsed;
    this.#done = done;
    return [indent + join(progress.parts(), '   ')];
  }
}

function renderCells(share: number, cells: number): string {
  // Full only when everything is done.
  const full = Math.floor(Math.min(1, share) * cells);
  return '█'.repeat(full) + '░'.repeat(cells - full);
}

function join(parts: readonly ProgressPart[], between: string, colours?: ChalkInstance): string {
  return parts.map((part) => paint(part, colours)).join(between);
}

function paint({ text, tone }: ProgressPart, colours: ChalkInstance | undefined): string {
  if (colours === undefined || tone === 'plain') return text;
  if (tone === 'quiet') return colours.dim(text);
  return tone === 'good' ? colours.green(text) : colours.red(text);
}
