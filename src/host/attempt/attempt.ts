import { AsyncLocalStorage } from 'node:async_hooks';
import type { EvalContext } from '../../authoring/context.js';
import type { Call, CallRole } from '../../model/calls/model-call.js';
import type { StoredCalls } from '../../model/calls/stored-calls.js';
import { lengthOutside, type Period } from '../../model/calls/usage.js';
import type { LogStream, Task } from '../../protocol/messages.js';
import type { AttemptCalls } from '../calls/attempt-calls.js';
import { isoNow, withOwnMethods } from '../primitives.js';
import type { AttemptRecording, CallerRecording } from '../recordings/attempt-recording.js';

/** Maximum bytes kept of the output that one attempt prints. */
export const maxLogBytes = 256 * 1024;

/** A piece of printed output of an attempt. */
interface LogEntry {
  readonly stream: LogStream;
  text: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly at: string;
  /** True if some output was dropped. */
  isCut?: true;
}

/** The reason why an attempt ended before its functions returned. */
export interface Interruption {
  /** `held`: its time was over, and it kept the thread so busy that no timer could say so. */
  readonly reason: 'timeout' | 'held' | 'stop' | 'exit' | 'uncaught';
  readonly error: unknown;
}

/** One attempt while it runs: what it printed, its signal, and what can end it from outside. */
export class Attempt implements Caller {
  readonly task: Task;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  readonly logs: LogEntry[] = [];
  readonly warnings = new Set<string>();
  /** The calls it has made; absent before the first. */
  calls: AttemptCalls | undefined;
  recordingSource: CallerRecording | undefined;
  recording: AttemptRecording | undefined;
  importRecording: AttemptRecording | undefined;
  refusal: string | undefined;
  notTimed: Set<CallRole> | undefined;
  /** The context of its functions. */
  context: EvalContext | undefined;
  #controller: AbortController | undefined;
  #aborted: { readonly reason: unknown } | undefined;
  #state: 'running' | 'ended' | 'interrupted' = 'running';
  #onEnd: ((interruption: Interruption | undefined) => void) | undefined;
  #logBytes = 0;
  readonly #onClock: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Number of held calls; its clock is stopped while there are any. */
  #held = 0;
  #heldSince = 0;
  #heldMs = 0;
  /** Intervals in which calls were held, in monotonic milliseconds. */
  readonly #waits: Period[] = [];

  /** `onClock` is called when {@link dueAt} changes. */
  constructor(task: Task, startedAt = performance.now(), onClock?: () => void) {
    this.task = task;
    this.startedAt = startedAt;
    this.#onClock = onClock;
  }

  /** Seconds since a monotonic time in milliseconds, without those in which calls were held and no other was under way. */
  secondsSince(start: number): number {
    const now = performance.now();
    // Whole nanoseconds: the digits after them are rounding errors, which every reader of a run would have to look at.
    return Math.round((now - start - this.#idleMs(start, now)) * 1e6) / 1e9;
  }

  #idleMs(start: number, now: number): number {
    const waits = this.#held > 0 ? [...this.#waits, [this.#heldSince, now] as const] : this.#waits;
    if (waits.length === 0) return 0;
    const atOf = (seconds: number) => this.startedAt + seconds * 1000;
    const calls = this.calls?.periods().map(([from, to]): Period => [atOf(from), atOf(to)]) ?? [];
    return lengthOutside(
      waits.filter(([, to]) => to > start).map(([from, to]) => [Math.max(from, start), to]),
      calls,
    );
  }

  /** Stops its timeout while a call is held. */
  hold(): void {
    this.#held += 1;
    if (this.#held > 1) return;
    this.#heldSince = performance.now();
    clearTimeout(this.#timer);
    this.#onClock?.();
  }

  /** Restarts its clock, once for each {@link hold}. */
  resume(): void {
    this.#held -= 1;
    if (this.#held > 0) return;
    const now = performance.now();
    this.#heldMs += now - this.#heldSince;
    this.#waits.push([this.#heldSince, now]);
    if (this.#timer !== undefined) this.startTimer();
    this.#onClock?.();
  }

  /** Interrupts it when its time is over. */
  startTimer(): void {
    const { timeout } = this.task;
    const end = () => this.interrupt({ reason: 'timeout', error: timeoutError(timeout) });
    const left = this.dueAt - performance.now();
    this.#timer = setTimeout(end, Math.min(left, longestTimer));
    if (this.#held > 0) clearTimeout(this.#timer);
    else if (!this.isRunning) this.stopTimer();
  }

  stopTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Monotonic milliseconds at which its time is over. */
  get dueAt(): number {
    if (this.#held > 0) return Number.POSITIVE_INFINITY;
    return this.startedAt + this.task.timeout * 1000 + this.#heldMs;
  }

  /** Created on first use: most evaluations never use it. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted.reason);
    }
    return this.#controller.signal;
  }

  /** The calls it has made, and those of the target whose output it grades again. */
  get callsSoFar(): readonly Call[] {
    readThreadCalls();
    return this.calls?.list() ?? [];
  }

  /** US dollars that the calls of target and body cost, replayed ones as if they were made; `null` when that is not known. */
  costSoFar(): Promise<number | null> {
    readThreadCalls();
    const calls = this.calls?.ofEvaluation() ?? [];
    // What this loads and reads is not of the evaluation.
    return currentScope.exit(async () => costOf?.(calls) ?? null);
  }

  /** False where calls are not observed: how many there were is not known. */
  get seesCalls(): boolean {
    return costOf !== undefined;
  }

  /** Its target has finished: its calls are graded from now on. */
  beginGrading(): void {
    readThreadCalls();
    this.calls?.beginGrading();
  }

  /** All its calls, for its result; those that end later are reported as late. */
  storeCalls(): StoredCalls | undefined {
    readThreadCalls();
    return this.calls?.store();
  }

  /** Registers a callback for its end, by return or by interruption. */
  onEnd(callback: (interruption: Interruption | undefined) => void): void {
    this.#onEnd = callback;
  }

  /** Marks that its functions have returned and its result is known. */
  end(): void {
    if (this.#state !== 'running') return;
    this.#state = 'ended';
    this.#onEnd?.(undefined);
  }

  /** True until the attempt ends or is ended. */
  get isRunning(): boolean {
    return this.#state === 'running';
  }

  /** True after a normal end: later errors can no longer be reported by the result. */
  get hasEnded(): boolean {
    return this.#state === 'ended';
  }

  /** Ends the attempt and gives the signal to its functions. */
  interrupt(interruption: Interruption): void {
    const isFirst = this.#state === 'running';
    if (isFirst) this.#state = 'interrupted';
    this.#aborted ??= { reason: interruption.error };
    this.#controller?.abort(interruption.error);
    // After the signal: what its listeners set or print still belongs to the result.
    if (isFirst) this.#onEnd?.(interruption);
  }

  /** Keeps printed text, up to {@link maxLogBytes}. */
  log(stream: LogStream, text: string): void {
    if (text === '' || this.#logBytes >= maxLogBytes) return;
    const left = maxLogBytes - this.#logBytes;
    const bytes = Buffer.byteLength(text);
    this.#logBytes += bytes;
    const kept = bytes <= left ? text : Buffer.from(text).subarray(0, left).toString('utf8');
    const at = isoNow();
    const last = this.logs.at(-1);
    // A line that comes in pieces is one text, so that a secret that comes in pieces can be found in it.
    const goesOn = last !== undefined && (last.at === at || !last.text.endsWith('\n'));
    if (goesOn && last.stream === stream) last.text += kept;
    else this.logs.push({ stream, text: kept, at });
    if (bytes <= left) return;
    const cut = this.logs.at(-1);
    if (cut !== undefined) cut.isCut = true;
    this.logs.push({ stream, text: '… [cut: more than 256 KiB printed]\n', at });
  }
}

let readThreadCalls = (): void => undefined;

/** Sets what reads the calls of other threads so far. */
export function provideThreadCalls(readAll: () => void): void {
  readThreadCalls = readAll;
}

let costOf: ((calls: readonly Call[]) => Promise<number | null>) | undefined;

/** Sets what prices calls. Until then, calls are not observed. */
export function provideCosts(priced: NonNullable<typeof costOf>): void {
  costOf = priced;
}

/** The longest time that timers can wait, in milliseconds; a longer one would be over at once. */
const longestTimer = 2 ** 31 - 1;

/** The abort reason of a timeout. */
export function timeoutError(seconds: number): DOMException {
  return new DOMException(`timed out after ${seconds} s`, 'TimeoutError');
}

/** A maker of calls: an attempt, or the import of an eval file. */
export interface Caller {
  /** The name of the eval file, if it is an import. */
  readonly file?: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** False once its result is known. */
  readonly isRunning: boolean;
  /** Warnings for its result, as sentences; absent where there is no result. */
  readonly warnings?: Set<string>;
  /** Absent before the first. */
  calls: AttemptCalls | undefined;
  /** Recording of its calls; absent without one. */
  recordingSource?: CallerRecording | undefined;
  /** Its recorded calls; absent before the first. */
  recording?: AttemptRecording | undefined;
  /** Those of the import before it, if it is the first attempt since. */
  importRecording?: AttemptRecording | undefined;
  /** The reason for refusing its first unrecorded model call. Its result is then an error, even if the code caught the refusal. */
  refusal?: string | undefined;
  /** Roles with replayed or refused requests, which have no meaningful latency. */
  notTimed: Set<CallRole> | undefined;
}

export interface Scope {
  readonly caller: Caller;
  readonly role: CallRole;
  /** Id of the span that it is in. */
  readonly span?: string;
  /** True inside a call that is being recorded: nested calls belong to the same call. */
  readonly isInCall?: true;
}

/** Scope of the running code, also in its timers and promises. */
export const currentScope = withOwnMethods(new AsyncLocalStorage<Scope>());

export function currentAttempt(): Attempt | undefined {
  const caller = currentScope.getStore()?.caller;
  return caller instanceof Attempt ? caller : undefined;
}

/** Marks the running code as having no latency, because recordings answered or refused its calls. */
export function leaveUntimed({ caller, role }: Scope): void {
  caller.notTimed ??= new Set();
  caller.notTimed.add(role);
}
