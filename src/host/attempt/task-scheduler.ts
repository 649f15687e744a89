import { whyUnreadable } from '../../model/kept-here.js';
import { type KeptName, keptNames } from '../../model/kept-values.js';
import type { Json, JsonObject } from '../../model/result.js';
import type { RunContext, StoredValues, Task } from '../../protocol/messages.js';
import { errorOutcome, type Outcome } from '../../protocol/outcome.js';
import { restoreValue } from '../../values/keep-value.js';
import type { CallWatch } from '../calls/watch-calls.js';
import type { LooseEnd } from '../fingerprints/loose-ends.js';
import type { HostChannel } from '../host-channel.js';
import type { ImportedCase, ImportedEvaluations } from '../imported-evaluations.js';
import { nextTick } from '../primitives.js';
import { Sanitizer, withAndWithoutWarnings } from '../sanitizer.js';
import { type SharedDeadline, sharedNow } from '../watchdog/watchdog.js';
import { Attempt, currentAttempt, currentScope, timeoutError } from './attempt.js';
import { AttemptPhases } from './attempt-phases.js';
import { runCoroutine } from './run-coroutine.js';

/** Milliseconds for which evaluations start before finished ones are reported. */
const turnMs = 10;
/** Milliseconds for which evaluations that never wait may follow each other before the event loop continues. */
const iterationMs = 5;
/** Milliseconds for which finished evaluations that had to wait are kept back, so that they share a report. */
const reportEveryMs = 1;

/** Maximum number of distinct reported warnings; the results have all of them. */
const mostWarnings = 100;

interface TaskSchedulerOptions {
  readonly channel: Pick<HostChannel, 'queue' | 'send' | 'flush' | 'isWriting'>;
  readonly catalogue: ImportedEvaluations;
  readonly sanitizer: Sanitizer;
  readonly callWatch: Pick<CallWatch, 'begin'>;
  readonly runs: readonly RunContext[];
  readonly slots: number;
  /** Report each start before it happens, whatever it costs. */
  readonly careful: boolean;
  readonly dueTime: SharedDeadline;
  readonly looseEndOf?: (entry: ImportedCase) => LooseEnd;
  /** Called before a result is reported. */
  readonly onFinish?: (task: Task) => void;
}

/**
 * Runs tasks in the order they come, as many at a time as there are slots, and reports each. What had to wait for
 * something is reported before anything else starts; evaluations that never wait share a message for a few
 * milliseconds, unless `careful` is set.
 */
export class TaskScheduler {
  readonly #options: TaskSchedulerOptions;
  readonly #queue: Task[] = [];
  readonly #running = new Set<Attempt>();
  /** Those that a debugger has stopped. */
  readonly #paused: Attempt[] = [];
  /** Their functions have returned without waiting for anything. */
  #returned: Attempt[] = [];
  /** Announced as started; the first of them have begun. */
  #starting: readonly Task[] = [];
  #begun = 0;
  /** Monotonic milliseconds at which the first attempt must have ended. */
  #earliestDue = Number.POSITIVE_INFINITY;
  #dueIsStale = false;
  readonly #sharedOffset = sharedNow() - performance.now();
  #free: number;
  /** Reported warnings, by evaluation. */
  readonly #warnings = new Set<string>();
  /** A turn comes in this iteration of the event loop, and at its end. */
  #turnIsNext = false;
  #turnIsDue = false;
  #checkIsDue = false;
  /** Counts the iterations of the event loop in which something happened here. */
  #iteration = 0;
  #iterationBegan = 0;
  #reportNow = true;
  #reportedAt = 0;

  constructor(options: TaskSchedulerOptions) {
    this.#options = options;
    this.#free = options.slots;
  }

  add(tasks: readonly Task[]): void {
    this.#queue.push(...tasks);
    this.#nextTurn();
  }

  /** Returns the tasks that have not started. */
  recall(): void {
    const tasks = this.#queue.splice(0).map((task) => task.task);
    this.#options.channel.send({ type: 'recalled', tasks });
  }

  /** Aborts running attempts and forgets the rest. */
  abort(): void {
    this.#queue.length = 0;
    const error = new DOMException('the run was stopped', 'AbortError');
    for (const attempt of this.#running) attempt.interrupt({ reason: 'stop', error });
  }

  /**
   * A debugger has stopped the thread: stops the time of what runs. `isLate`: nobody knows for how long it has stood, so that
   * its time does not go on.
   */
  pause(isLate: boolean): void {
    const running = [...this.#running];
    for (const attempt of running) attempt.hold();
    if (!isLate) this.#paused.push(...running);
  }

  /** Goes on with the time that was left. */
  goOn(): void {
    for (const attempt of this.#paused.splice(0)) attempt.resume();
  }

  /**
   * Reports the attempt that blocks the thread, and ends it if its timeout has passed. Called on top of the blocking
   * code, where nothing else can run.
   */
  reportHolder(): void {
    const { channel } = this.#options;
    if (channel.isWriting) return;
    for (const attempt of this.#returned.splice(0)) attempt.end();
    const notBegun = this.#starting.slice(this.#begun).map((task) => task.task);
    if (notBegun.length > 0) channel.queue({ type: 'postponed', tasks: notBegun });
    const holder = currentAttempt();
    if (holder?.isRunning === true && performance.now() >= holder.dueAt) {
      holder.interrupt({ reason: 'held', error: timeoutError(holder.task.timeout) });
    }
    if (holder !== undefined) channel.queue({ type: 'held', task: holder.task.task });
    channel.flush();
    this.#renewDue();
  }

  readonly #onClock = (): void => this.#renewDue();

  #setDue(due: number): void {
    this.#earliestDue = due;
    this.#options.dueTime.value = due + this.#sharedOffset;
  }

  #renewDue(): void {
    this.#dueIsStale = false;
    let earliest = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#running) if (dueAt < earliest) earliest = dueAt;
    this.#setDue(earliest);
  }

  #nextCheck(): void {
    if (this.#checkIsDue) return;
    this.#checkIsDue = true;
    this.#iterationBegan = performance.now();
    setImmediate(() => this.#check());
  }

  #nextTurn(): void {
    this.#nextCheck();
    if (this.#turnIsNext) return;
    const now = performance.now();
    const inThisIteration = now - this.#iterationBegan < iterationMs;
    // Reports that must precede the next start are sent together with results of the same millisecond.
    const mayReport = !this.#reportNow || now - this.#reportedAt >= reportEveryMs;
    if (inThisIteration && mayReport) {
      this.#turnIsNext = true;
      nextTick(() => {
        this.#turnIsNext = false;
        this.#turn();
      });
    } else if (!this.#turnIsDue) {
      this.#turnIsDue = true;
      setImmediate(() => {
        this.#turnIsDue = false;
        this.#turn();
      });
    }
  }

  /** Ends an iteration of the event loop: nothing is kept back into the next. */
  #check(): void {
    this.#checkIsDue = false;
    this.#iteration += 1;
    if (this.#dueIsStale) this.#renewDue();
    this.#options.channel.flush();
  }

  /** Starts as many tasks as there are free slots. */
  #turn(): void {
    const { channel, careful } = this.#options;
    const starting = this.#queue.splice(0, this.#free);
    if (starting.length > 0) {
      channel.queue({ type: 'started', tasks: starting.map((task) => task.task) });
      this.#nextCheck();
    }
    if (this.#reportNow || this.#running.size > 0) channel.flush();
    this.#reportNow = careful;
    const began = performance.now();
    this.#reportedAt = began;
    this.#starting = starting;
    for (const [position, task] of starting.entries()) {
      const now = performance.now();
      if (now - began > turnMs) {
        this.#postpone(starting.slice(position));
        break;
      }
      this.#begun = position + 1;
      this.#start(task, now);
    }
    this.#starting = [];
    this.#endReturned();
  }

  #postpone(tasks: readonly Task[]): void {
    this.#queue.unshift(...tasks);
    this.#options.channel.queue({ type: 'postponed', tasks: tasks.map((task) => task.task) });
    this.#reportNow = true;
    this.#nextTurn();
  }

  #start(given: Task, now: number): void {
    this.#free -= 1;
    const entry = this.#options.catalogue.get(given.id);
    const restored = given.stored && restoreStored(given.stored);
    const problem = restored?.problem;
    const isLeft = problem !== undefined && given.stored?.acceptsJson !== true;
    const hasValues = this.#options.catalogue.hasValues(given.id, given.values);
    if (entry === undefined || isLeft || !hasValues) {
      const other = hasValues ? leftOutcome(problem) : otherOutcome;
      const outcome = entry === undefined ? gone(given.id) : other;
      this.#options.channel.queue({
        type: 'finished',
        task: given.task,
        outcome,
        lingering: false,
      });
      this.#release();
      return;
    }
    const task = restored === undefined ? given : { ...given, stored: restored.stored };
    const attempt = new Attempt(task, now, this.#onClock);
    this.#options.callWatch.begin(attempt, entry);
    const startedIn = this.#iteration;
    this.#running.add(attempt);
    if (attempt.dueAt < this.#earliestDue) this.#setDue(attempt.dueAt);
    const run = this.#options.runs[task.run ?? 0] as RunContext;
    const hasReturned = runAttempt(attempt, entry, run, this.#options, (ended) => {
      if (startedIn !== this.#iteration) this.#reportNow = true;
      this.#finish(attempt, ended);
    });
    if (hasReturned) this.#returned.push(attempt);
  }

  /**
   * Ends attempts whose functions have returned, after the ticks and settled promises that they left, which still belong
   * to them.
   */
  #endReturned(): void {
    if (this.#returned.length === 0) return;
    const returned = this.#returned;
    this.#returned = [];
    queueMicrotask(() => {
      nextTick(() => {
        for (const attempt of returned) attempt.end();
      });
    });
  }

  #finish(attempt: Attempt, { outcome, lingering }: EndedAttempt): void {
    const { channel } = this.#options;
    const { task } = attempt.task;
    this.#running.delete(attempt);
    if (attempt.dueAt <= this.#earliestDue) this.#dueIsStale = true;
    this.#warn(attempt);
    this.#options.onFinish?.(attempt.task);
    channel.queue({ type: 'finished', task, outcome, lingering: lingering !== undefined });
    if (lingering === undefined) {
      this.#release();
      return;
    }
    channel.flush();
    this.#nextCheck();
    void lingering.then(() => {
      channel.queue({ type: 'released', task });
      this.#release();
    });
  }

  /** Reports each warning once per evaluation, not per case. */
  #warn({ warnings, task }: Attempt): void {
    if (warnings.size === 0) return;
    const { channel, catalogue, sanitizer } = this.#options;
    const { evaluation = task.id } = catalogue.get(task.id)?.descriptor ?? {};
    for (const warning of warnings) {
      const key = `${evaluation}\n${warning}`;
      if (this.#warnings.has(key) || this.#warnings.size >= mostWarnings) continue;
      this.#warnings.add(key);
      channel.queue({ type: 'warning', text: sanitizer.text(`${task.id}: ${warning}`) });
    }
  }

  #release(): void {
    this.#free += 1;
    this.#nextTurn();
  }
}

function gone(id: string): Outcome {
  return errorOutcome(
    `${id} was not there when the eval file was imported again: its cases must be the same at every import`,
  );
}

/** Nothing was graded, and nothing is to be stored. */
function leftOutcome(left: string | undefined): Outcome {
  return { ...errorOutcome('It was not graded.'), left };
}

const otherOutcome: Outcome = {
  ...errorOutcome('The case has other values here.'),
  hasOtherValues: true,
};

interface EndedAttempt {
  readonly outcome: Outcome;
  /** Resolves when functions that were given the signal have let go; absent when nothing is waited for. */
  readonly lingering?: Promise<void>;
}

interface Surroundings {
  readonly sanitizer: Sanitizer;
  readonly catalogue: Pick<ImportedEvaluations, 'folder' | 'codeOf'>;
  /** Absent where what evaluations do is not watched. */
  readonly looseEndOf?: (entry: ImportedCase) => LooseEnd;
}

/**
 * Makes one attempt: target, then body, then evaluators, until they end or something ends them. True when they have
 * returned without waiting for anything: the caller then says when the attempt ends (`attempt.end`).
 */
export function runAttempt(
  attempt: Attempt,
  entry: ImportedCase,
  run: RunContext,
  { sanitizer, catalogue, looseEndOf }: Surroundings,
  onEnded: (ended: EndedAttempt) => void,
): boolean {
  const phases = new AttemptPhases(attempt, entry, run, catalogue.folder);
  let work: Promise<void> | undefined;
  let onReturn: (() => void) | undefined;
  // First, because functions may end the attempt before they return.
  attempt.onEnd((interruption) => {
    attempt.stopTimer();
    const code = catalogue.codeOf(attempt.task.id);
    const outcome = phases.outcome(interruption, sanitizer, code, looseEndOf?.(entry));
    if (interruption?.reason === 'held') {
      const returned = new Promise<void>((resolve) => {
        onReturn = resolve;
      });
      onEnded({ outcome, lingering: work ?? returned.then(() => work) });
      return;
    }
    const mustLetGo = interruption?.reason === 'timeout' || interruption?.reason === 'stop';
    onEnded(mustLetGo && work !== undefined ? { outcome, lingering: work } : { outcome });
  });
  work = currentScope.run(phases.scope, runCoroutine, phases.run());
  onReturn?.();
  if (work === undefined) return true;
  void work.then(() => attempt.end());
  if (attempt.isRunning) attempt.startTimer();
  return false;
}

/** Stored values with what JSON does not keep; or why something of them cannot be restored. */
interface Restored {
  readonly stored: StoredValues;
  readonly problem?: string;
}

/** Puts values that were kept in the place of their JSON. What cannot be restored stays JSON. */
function restoreStored(given: StoredValues): Restored {
  const { kept, authored, output, metadata, ...others } = given;
  const lost = given.lacksCalls === true ? 'the line with its calls is damaged' : undefined;
  if (kept === undefined) return { stored: given, ...(lost && { problem: lost }) };
  const newer = whyUnreadable(kept);
  if (newer !== undefined) return { stored: given, problem: newer };
  const damaged: string[] = [];
  const { traceData } = others;
  const trace_data = Sanitizer.traceData(traceData);
  const values: { [name: string]: unknown } = { ...authored, output, metadata, trace_data };
  for (const name of keptNames) {
    const bytes = kept[name];
    if (bytes === undefined || !(name in values)) continue;
    const restored = restoreStoredValue(name, bytes, values[name] as Json);
    if (restored === undefined) damaged.push(name);
    else values[name] = restored.value;
  }
  const { input, reference, trace_data: seen } = values;
  const stored = {
    ...others,
    ...(authored && { authored: { input, reference } }),
    output: values.output,
    // Only an object has the JSON of one, but for a map or an error.
    metadata: values.metadata as StoredValues['metadata'],
    seenTraceData: seen as StoredValues['seenTraceData'],
  };
  if (damaged.length === 0) return { stored, ...(lost && { problem: lost }) };
  return { stored, problem: `what was kept of its ${damaged.join(' and ')} is damaged` };
}

/** Hosts get values as JSON. */
function restoreStoredValue(name: KeptName, bytes: string, json: Json) {
  if (name !== 'trace_data') return restoreValue(bytes, json);
  for (const one of withAndWithoutWarnings(json as JsonObject)) {
    const restored = restoreValue(bytes, one);
    if (restored !== undefined) return restored;
  }
  return undefined;
}
