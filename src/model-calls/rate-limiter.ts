import { TokenBucket } from 'limiter';
import PQueue from 'p-queue';
import type { Rate, Rates } from '../model/calls/call-rules.js';
import { tokensOf } from '../model/calls/known-usage.js';
import type { StoredCall } from '../model/calls/stored-calls.js';
import { namePattern } from '../text/name-pattern.js';

/** A call of a model that is about to be made. */
interface PacedCall {
  readonly task: number;
  /** Names the call among those of its task. */
  readonly question: number;
  readonly model?: string | undefined;
  readonly host: string;
  /** Bytes of the request's body. */
  readonly size: number;
}

/** The place of a call in its line. */
interface Turn {
  readonly line: Line;
  /** Tokens that were charged before the answer. */
  readonly charged: number;
  readonly controller: AbortController;
  /** Ends its waiting. */
  readonly take: () => void;
  isWaiting: boolean;
  isAnswering: boolean;
  /** Number of the call, once it has begun. */
  number?: number;
}

/** Longest wait after a 429; a daily quota should fail the call instead. */
const longestHoldMs = 60_000;
const bytesPerToken = 4;

/** Holds calls of models back, so that all processes of a run together keep to the rates. */
export class RateLimiter {
  readonly #lines: readonly Line[];
  /** By task and question. */
  readonly #turns = new Map<number, Map<number, Turn>>();
  readonly #clocks = new Map<string, WaitClock>();

  /** Rates are per `windowMs` milliseconds. */
  constructor(rates: Rates, windowMs = 60_000) {
    this.#lines = Object.entries(rates).map(([name, rate]) => new Line(name, rate, windowMs));
  }

  /** Calls back, maybe at once, when the call may be made, with the seconds for which it was held. */
  ask(call: PacedCall, onTurn: (waited: number) => void): void {
    const { task, question, model, host, size } = call;
    const line = this.#lines.find((one) => one.matches(model, host));
    if (line === undefined) {
      onTurn(0);
      return;
    }
    const askedAt = performance.now();
    const clock = this.#clockOf(model ?? host);
    let isHeld = false;
    const turn: Turn = {
      line,
      charged: Math.ceil(size / bytesPerToken),
      controller: new AbortController(),
      isWaiting: true,
      isAnswering: false,
      take: () => {
        if (!turn.isWaiting) return;
        turn.isWaiting = false;
        if (isHeld) clock.end();
        onTurn(isHeld ? Math.round(performance.now() - askedAt) / 1000 : 0);
      },
    };
    const turns = this.#turns.get(task) ?? new Map<number, Turn>();
    this.#turns.set(task, turns.set(question, turn));
    line.enter(turn);
    if (!turn.isWaiting) return;
    isHeld = true;
    clock.begin();
    turn.controller.signal.addEventListener('abort', () => {
      if (turn.isWaiting) clock.end();
      turn.isWaiting = false;
    });
    this.#releaseAnswering(task);
  }

  /** A call is not wanted any more, may not be made, or has failed. */
  leave(task: number, question: number): void {
    const turns = this.#turns.get(task);
    turns?.get(question)?.controller.abort();
    turns?.delete(question);
  }

  /** The answer to a call has begun; `retryAfter` are the seconds for which the provider wants no others. */
  answering(task: number, question: number, retryAfter: number | undefined): void {
    const turn = this.#turns.get(task)?.get(question);
    if (turn === undefined) return;
    turn.isAnswering = true;
    if (retryAfter !== undefined) turn.line.hold(Math.min(retryAfter * 1000, longestHoldMs));
    this.#releaseAnswering(task);
  }

  /** Counts a call that has begun or ended. */
  called(task: number, { number, asked, end, model_call }: StoredCall): void {
    const turns = this.#turns.get(task);
    if (turns === undefined) return;
    const begun = asked === undefined ? undefined : turns.get(asked);
    if (begun !== undefined) begun.number = number;
    if (end === undefined) return;
    for (const [question, turn] of turns) {
      if (turn.number !== number) continue;
      const used = tokensOf(model_call?.usage ?? {});
      if (used !== undefined) turn.line.charge(used - turn.charged);
      this.leave(task, question);
    }
  }

  /** The attempt has ended: its waiting and running calls no longer count. */
  forget(task: number): void {
    for (const question of [...(this.#turns.get(task)?.keys() ?? [])]) this.leave(task, question);
    this.#turns.delete(task);
  }

  /** Releases all waiting calls. */
  endWaits(): void {
    for (const turns of this.#turns.values()) for (const turn of turns.values()) turn.take();
  }

  /** Seconds in which at least one call of a model was held, by its name; the longest first. */
  get waited(): readonly (readonly [name: string, seconds: number])[] {
    return [...this.#clocks]
      .map(([name, { seconds }]) => [name, Math.round(seconds * 1000) / 1000] as const)
      .filter(([, seconds]) => seconds > 0)
      .sort(([, a], [, b]) => b - a);
  }

  /** An attempt that reads an answer may need another call to go on reading: the first must not hold the second. */
  #releaseAnswering(task: number): void {
    const turns = [...(this.#turns.get(task)?.values() ?? [])];
    if (!turns.some(({ isWaiting }) => isWaiting)) return;
    for (const { isAnswering, controller } of turns) if (isAnswering) controller.abort();
  }

  #clockOf(name: string): WaitClock {
    const clock = this.#clocks.get(name) ?? new WaitClock();
    this.#clocks.set(name, clock);
    return clock;
  }
}

/** The calls to which one entry of the rates applies. */
class Line {
  readonly #pattern: RegExp;
  readonly #queue: PQueue;
  readonly #bucket: TokenBucket | undefined;
  #heldUntil = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string, { requests, tokens, at_once }: Rate, windowMs: number) {
    this.#pattern = namePattern(name);
    this.#queue = new PQueue({
      ...(at_once !== undefined && { concurrency: at_once }),
      ...(requests !== undefined && { intervalCap: requests, interval: windowMs, strict: true }),
    });
    if (tokens === undefined) return;
    const size = { bucketSize: tokens, tokensPerInterval: tokens, interval: windowMs };
    this.#bucket = new TokenBucket(size);
    this.#bucket.content = tokens;
  }

  matches(model: string | undefined, host: string): boolean {
    const names = [model ?? '', host, host.replace(/:\d+$/, '')];
    return names.some((name) => this.#pattern.test(name));
  }

  /** Queues a call; it stays in its place until it is aborted. */
  enter({ take, charged, controller: { signal } }: Turn): void {
    const stay = () => {
      this.charge(charged);
      take();
      return new Promise<never>(() => {});
    };
    this.#queue.add(stay, { signal }).catch(() => {});
  }

  /** Takes tokens out of the bucket, or puts some back; it may owe. */
  charge(tokens: number): void {
    if (this.#bucket === undefined) return;
    this.#bucket.drip();
    this.#bucket.content -= tokens;
    this.#update();
  }

  /** Holds all calls. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, performance.now() + ms);
    this.#update();
  }

  #update(): void {
    clearTimeout(this.#timer);
    const heldMs = this.#heldUntil - performance.now();
    const waitMs = Math.max(heldMs, this.#bucket?.getWaitTime(1) ?? 0);
    if (waitMs <= 0) {
      this.#queue.start();
      return;
    }
    this.#queue.pause();
    this.#timer = setTimeout(() => this.#update(), Math.ceil(waitMs));
    // The processes of the run keep this one alive.
    this.#timer.unref();
  }
}

/** Measures how long at least one call was held. */
class WaitClock {
  #waiting = 0;
  #since = 0;
  #ms = 0;

  begin(): void {
    if (this.#waiting === 0) this.#since = performance.now();
    this.#waiting += 1;
  }

  end(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) this.#ms += performance.now() - this.#since;
  }

  get seconds(): number {
    const now = this.#waiting > 0 ? performance.now() - this.#since : 0;
    return (this.#ms + now) / 1000;
  }
}
