import type { StoredCall, StoredCalls } from '../../model/calls/stored-calls.js';
import type { Task } from '../../protocol/messages.js';

interface Assignment {
  readonly task: Task;
  state: 'waiting' | 'running' | 'lingering';
  /** Monotonic milliseconds. */
  startedAt: number;
  /** The deadline at which the process must have released the task, in monotonic milliseconds. */
  dueAt: number;
  /** Its calls so far, by number; absent before the first. */
  calls?: Map<number, StoredCall>;
  /** Number of held calls; its clock is stopped while there are any. */
  held: number;
  heldSince: number;
}

export interface OrphanedTasks {
  /** The task that ended the process, if it can only be one. */
  readonly culprit: Task | undefined;
  /** The calls of that task, without their texts; absent for none. */
  readonly culpritCalls: StoredCalls | undefined;
  /** Those of all other tasks that ran. */
  readonly lostCalls: readonly StoredCall[];
  /** Running tasks, any of which may have ended the process. */
  readonly suspects: readonly Task[];
  /** Running tasks that did not end the process. */
  readonly innocent: readonly Task[];
  readonly waiting: readonly Task[];
  /** True when a task missed its deadline. */
  readonly wasOverdue: boolean;
  /** Id of the case that kept the process busy, if known. */
  readonly holder: string | undefined;
  /** The total run time that suspects and innocent tasks lost, in seconds. */
  readonly lostSeconds: number;
}

/** The tasks of a host process, and their deadlines. */
export class Assignments {
  readonly #all = new Map<number, Assignment>();
  readonly #slots: number;
  #isStopped = false;
  /** The task that keeps the process busy, if known; it may have finished. */
  #holder: number | undefined;
  /** Time of the last message from the process, or of the last tasks given to it, in monotonic milliseconds. */
  #heardAt = performance.now();

  /** Since when a debugger has stopped the process, in monotonic milliseconds. */
  #pausedSince: number | undefined;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** A debugger has stopped the process. */
  get isPaused(): boolean {
    return this.#pausedSince !== undefined;
  }

  /** Stops the time of all tasks. `isLate`: nobody knows for how long they have stood; those that run get all the time they need. */
  pause(now: number, isLate: boolean): void {
    this.#pausedSince ??= now;
    if (!isLate) return;
    for (const assignment of this.#all.values()) {
      if (assignment.state === 'running') assignment.dueAt = Number.POSITIVE_INFINITY;
    }
  }

  /** Goes on with the time that they have left. */
  goOn(now: number): void {
    const ms = now - (this.#pausedSince ?? now);
    this.#pausedSince = undefined;
    this.#heardAt = now;
    for (const assignment of this.#all.values()) {
      // One with a held call gets the time of that.
      if (assignment.held === 0) assignment.dueAt += ms;
    }
  }

  get size(): number {
    return this.#all.size;
  }

  get(task: number): Task | undefined {
    return this.#all.get(task)?.task;
  }

  /** Records a message of the process, which shows that nothing blocks it. */
  hear(now: number): void {
    this.#heardAt = now;
    this.#holder = undefined;
  }

  add(tasks: readonly Task[]): void {
    this.#heardAt = performance.now();
    for (const task of tasks) {
      this.#all.set(task.task, {
        task,
        state: 'waiting',
        startedAt: 0,
        dueAt: Number.POSITIVE_INFINITY,
        held: 0,
        heldSince: 0,
      });
    }
  }

  waiting(): Task[] {
    return this.#tasks('waiting');
  }

  start(numbers: readonly number[], now: number): Task[] {
    return this.#change(numbers, 'waiting', (assignment) => {
      assignment.state = 'running';
      assignment.startedAt = now;
      assignment.dueAt = now + assignment.task.timeout * 1000;
    });
  }

  isRunning(task: number): boolean {
    return this.#all.get(task)?.state === 'running';
  }

  postpone(numbers: readonly number[]): Task[] {
    return this.#change(numbers, 'running', (assignment) => {
      assignment.state = 'waiting';
      assignment.dueAt = Number.POSITIVE_INFINITY;
      // Sent before the process received the stop, which made it forget the task.
      if (this.#isStopped) this.#all.delete(assignment.task.task);
    });
  }

  /** Stops the time of a running task while one of its calls is held. */
  hold(number: number, now: number): void {
    const assignment = this.#all.get(number);
    if (assignment === undefined) return;
    if (assignment.held === 0) assignment.heldSince = now;
    assignment.held += 1;
  }

  /** Restarts the clock of a task, once for each {@link hold}. */
  resume(number: number, now: number): void {
    const assignment = this.#all.get(number);
    if (assignment === undefined || assignment.held === 0) return;
    assignment.held -= 1;
    if (assignment.held === 0) assignment.dueAt += now - assignment.heldSince;
  }

  /** Keeps calls of a running task. False for one that does not run, or has finished. */
  addCalls(number: number, { calls }: StoredCalls): boolean {
    const assignment = this.#all.get(number);
    if (assignment?.state !== 'running') return false;
    assignment.calls ??= new Map();
    for (const call of calls) assignment.calls.set(call.number, call);
    return true;
  }

  /** `undefined` for a task that this process does not have, or that has already finished. */
  finish(number: number, lingering: boolean, now: number): Task | undefined {
    const assignment = this.#all.get(number);
    if (assignment === undefined || assignment.state === 'lingering') return undefined;
    if (lingering) {
      assignment.state = 'lingering';
      assignment.dueAt = Math.min(assignment.dueAt, now);
    } else {
      this.#all.delete(number);
    }
    return assignment.task;
  }

  /** Records that this task keeps the process busy, so that others are overdue. */
  markHeld(number: number): void {
    this.#holder = number;
  }

  release(number: number): void {
    if (this.#holder === number) this.#holder = undefined;
    if (this.#all.get(number)?.state === 'lingering') this.#all.delete(number);
  }

  /** Takes back waiting tasks: these, or all of them. */
  takeBack(numbers: readonly number[] = [...this.#all.keys()]): Task[] {
    return this.#change(numbers, 'waiting', ({ task }) => this.#all.delete(task.task));
  }

  /** Makes everything due now, and forgets waiting tasks. */
  stop(now: number): void {
    this.#isStopped = true;
    for (const [number, assignment] of this.#all) {
      if (assignment.state === 'waiting') this.#all.delete(number);
      else assignment.dueAt = Math.min(assignment.dueAt, now);
    }
  }

  /** Milliseconds since the first deadline of the process; negative before it. */
  lateMs(now: number): number {
    return now - this.#earliestDue();
  }

  /**
   * The first deadline of the process. A process with free slots starts waiting tasks immediately; if it is silent
   * instead, it has started one and cannot report that.
   */
  #earliestDue(): number {
    if (this.isPaused && !this.#isStopped) return Number.POSITIVE_INFINITY;
    const running = [...this.#all.values()].filter(({ state }) => state !== 'waiting');
    const dues = running.map(({ state, held, dueAt }) =>
      state === 'running' && held > 0 && !this.#isStopped ? Number.POSITIVE_INFINITY : dueAt,
    );
    const silentlyStarted = this.#tasks('waiting').slice(0, this.#slots - running.length);
    const silentDues = silentlyStarted.map(({ timeout }) => this.#heardAt + timeout * 1000);
    return Math.min(...dues, ...silentDues);
  }

  /** Removes all tasks after the process has ended, and returns them by cause. */
  clear(careful: boolean, now = performance.now()): OrphanedTasks {
    const wasOverdue = isBlocked(this.lateMs(now));
    const waiting = this.#tasks('waiting');
    const running = this.#tasks('running');
    const lostMs = this.#runningMs(now);
    const holder = this.#holderId(now);
    const mayRun = careful ? [] : waiting.slice(0, this.#slots - running.length);
    const cause = this.#causeOf(running, mayRun, now);
    const calls = this.#all.get(cause.culprit?.task ?? -1)?.calls;
    const lostCalls = running.flatMap(({ task }) =>
      task === cause.culprit?.task ? [] : this.#callsOf(task),
    );
    this.#all.clear();
    this.#holder = undefined;
    this.#pausedSince = undefined;
    return {
      ...cause,
      culpritCalls: calls && { calls: [...calls.values()], texts: [] },
      lostCalls,
      waiting: waiting.filter((task) => task !== cause.culprit),
      wasOverdue,
      holder,
      lostSeconds: lostMs / 1000,
    };
  }

  /** The task that probably ended the process, or those that may have. */
  #causeOf(
    running: readonly Task[],
    mayRun: readonly Task[],
    now: number,
  ): Pick<OrphanedTasks, 'culprit' | 'suspects' | 'innocent'> {
    const holder = this.#holder;
    if (
      this.#overdueAfterReport(now) !== undefined ||
      (holder !== undefined && !this.isRunning(holder))
    ) {
      return { culprit: undefined, suspects: [], innocent: running };
    }
    if (holder !== undefined) {
      const held = running.filter(({ task }) => task === holder);
      const innocent = running.filter(({ task }) => task !== holder);
      const isDue = now >= (this.#all.get(holder)?.dueAt ?? 0);
      // A culprit past its deadline would time out again; before that, it may still get its full time in a process
      // of its own.
      return isDue || innocent.length === 0
        ? { culprit: held[0], suspects: [], innocent }
        : { culprit: undefined, suspects: held, innocent };
    }
    const [first, ...others] = [...running, ...mayRun];
    const culprit = others.length === 0 ? first : undefined;
    return { culprit, suspects: culprit === undefined ? running : [], innocent: [] };
  }

  /** A task that has reported its result, but was not released in time. */
  #overdueAfterReport(now: number): Assignment | undefined {
    return [...this.#all.values()].find(
      ({ state, dueAt }) => state === 'lingering' && isBlocked(now - dueAt),
    );
  }

  #holderId(now: number): string | undefined {
    const holder = this.#holder === undefined ? undefined : this.#all.get(this.#holder);
    return (holder ?? this.#overdueAfterReport(now))?.task.id;
  }

  #runningMs(now: number): number {
    let ms = 0;
    for (const { state, startedAt } of this.#all.values()) {
      if (state === 'running') ms += now - startedAt;
    }
    return ms;
  }

  #callsOf(number: number): StoredCall[] {
    return [...(this.#all.get(number)?.calls?.values() ?? [])];
  }

  #tasks(state: Assignment['state']): Task[] {
    const tasks: Task[] = [];
    for (const assignment of this.#all.values()) {
      if (assignment.state === state) tasks.push(assignment.task);
    }
    return tasks;
  }

  #change(
    numbers: readonly number[],
    from: Assignment['state'],
    change: (assignment: Assignment) => void,
  ): Task[] {
    const tasks: Task[] = [];
    for (const number of numbers) {
      const assignment = this.#all.get(number);
      if (assignment?.state !== from) continue;
      change(assignment);
      tasks.push(assignment.task);
    }
    return tasks;
  }
}

/** Milliseconds after its deadline at which a process gets SIGTERM, and at which it gets SIGKILL. */
const termAfterMs = 1300;
const killAfterMs = 1900;

interface Killable {
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
}

/** True for a process so long after a deadline that something blocks it. */
function isBlocked(lateMs: number): boolean {
  return lateMs >= termAfterMs;
}

/** Kills a process that a busy loop or a synchronous call blocks past a deadline: SIGTERM once, then SIGKILL. */
export class BlockedProcessKiller {
  #terminated: Killable | undefined;

  /** To be called every 100 ms or so, with how late the process is. */
  check(process: Killable | undefined, lateMs: number): void {
    if (lateMs >= killAfterMs) process?.kill('SIGKILL');
    else if (isBlocked(lateMs) && process !== this.#terminated) {
      this.#terminated = process;
      process?.kill('SIGTERM');
    }
  }
}
