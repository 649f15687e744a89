import { AssayError } from '../../errors.js';
import type { StoredCall, StoredCalls } from '../../model/calls/stored-calls.js';
import { cutOffUsage, mayCost, usageOf } from '../../model/calls/usage.js';
import type { FileReads, FoundCode } from '../../model/code/file-code.js';
import type { CallControl } from '../../model-calls/call-limiter.js';
import type { CallPricer } from '../../model-calls/prices.js';
import type { GitState } from '../../processes/git.js';
import type { LogStream, RunContext, Task } from '../../protocol/messages.js';
import type { Ending } from '../../store/log/records.js';
import { toRanges } from '../../store/log/row-ranges.js';
import type { RunOwner } from '../../store/run-owner.js';
import { countOf } from '../../text/count-text.js';
import { CodeOfResults } from '../changes/stored-code.js';
import type { UsedRecordings } from '../changes/used-recordings.js';
import type { FinishedResult, RunListener } from '../events.js';
import type { Executor, Work } from '../executor.js';
import { RecordingMisses } from './recording-misses.js';

/** Creates tasks for rows and stores their results, for one kind of execution. */
export interface RowWork {
  /** Maximum number of tasks beyond the running ones. */
  readonly ahead: number;
  taskOf(index: number): Task;
  /** The result with verdicts from the score rules. */
  judge(finished: FinishedResult): FinishedResult;
  record(finished: readonly FinishedResult[]): void;
  /** Rows whose stored values could not be restored, so that nothing was graded. */
  leave(finished: readonly FinishedResult[]): void;
  /** What is to be said of them at the end; absent for none. */
  readonly remark: string | undefined;
  /** Marks rows that will not run. */
  cancel(indices: readonly number[]): void;
  /** Shows rows as running, or no longer. */
  showRunning(indices: readonly number[], running: boolean): void;
}

export interface ExecutionOptions {
  readonly owner: RunOwner;
  readonly executor: Executor;
  readonly context: RunContext;
  /** Rows to run, in this order. */
  readonly indices: readonly number[];
  readonly rowWork: RowWork;
  readonly pricer: CallPricer;
  /** Stores the code of eval files, and what their evaluations looked at. */
  readonly recordCode: (codes: readonly FoundCode[], reads: readonly FileReads[]) => void;
  /** Decides which calls may be made; absent where all may. */
  readonly calls?: CallControl | undefined;
  readonly recordings: UsedRecordings;
  /** The code of the loaded files, where it is stored already. */
  readonly codes?: readonly FoundCode[] | undefined;
  /** Finds the commit of the working tree; starts a process. Default: unknown. */
  readonly gitState?: (() => Promise<GitState | undefined>) | undefined;
  /** Pause when there is no room left for results, until the user resumes; otherwise that ends the execution. */
  readonly waitsForRoom: boolean;
  readonly onEvent: RunListener;
}

export type ExecutionOutcome = 'finished' | 'stopped';

/**
 * One execution of rows of a run, from the first task to the closed log. Every result is in the log before
 * it is reported.
 */
export class Execution implements Work {
  readonly #options: ExecutionOptions;
  readonly #unfinished: Set<number>;
  readonly #running = new Set<number>();
  /** Which rows it lets finish before it stops; `undefined`: it goes on. */
  #isLast: ((index: number) => boolean) | undefined;
  #next = 0;
  #isPaused = false;
  #stopped = false;
  #failure: unknown;
  /** Finished results that are not in the log yet, because the disk was full. */
  #unstored: readonly FinishedResult[] = [];
  #onStored: () => void = () => undefined;
  /** Finished results that cannot be judged yet. */
  #unjudged: FinishedResult[] = [];
  #preparing: Promise<void> | undefined;
  #budget: Ending['budget'];
  /** Resolves when calls that are in no result are in the log. */
  #unlisted: Promise<unknown> = Promise.resolve();
  /** Calls of attempts without a row for them, such as those that were stopped, by task and number. */
  readonly #apart = new Map<string, StoredCall>();
  #isOver = false;
  /** Not in the log yet; results must not come before what their evaluations looked at. */
  #codes: FoundCode[] = [];
  #reads: FileReads[] = [];
  readonly #doctor = new RecordingMisses();
  #git: Promise<GitState | undefined> | undefined;
  #place: Pick<Ending, 'commit' | 'dirty'> = {};
  readonly #codeOfResults = new CodeOfResults();

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.#unfinished = new Set(options.indices);
    this.#codeOfResults.addCode(options.codes ?? []);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** The error of a failed write; the execution has ended, or is about to. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Runs everything and closes the log. Rejects when results can no longer be stored; what was stored stays. */
  async run(): Promise<ExecutionOutcome> {
    const { owner, executor, context } = this.#options;
    try {
      await this.calls?.prepare();
      if (this.#options.indices.length > 0) await executor.execute([context], this);
      await this.#preparing;
      await this.#findPlace();
      await this.#allStored();
      this.#reads.push(...this.#options.recordings.takeNews());
      if (this.#failure === undefined) this.#storeCode();
      if (this.#failure !== undefined) throw this.#failure;
      this.#endBudget();
      this.#refuseUnfinished();
      const { remark } = this.#options.rowWork;
      const { diagnosis, unrecorded, local, unused } = this.#doctor;
      if (this.#stopped) this.#codeOfResults.problem ??= 'the run was stopped';
      const unanalysed = executor.fingerprint && this.#codeOfResults.remark;
      for (const text of [diagnosis, unrecorded, local, unused, remark, unanalysed]) {
        if (text !== undefined) this.#options.onEvent({ type: 'warned', text });
      }
      const outcome = this.#stopped ? 'stopped' : 'finished';
      executor.close();
      this.onUnlisted([...(executor.takeUnlisted?.() ?? []), ...this.#apart.values()]);
      await this.#settled();
      this.#isOver = true;
      if (this.#failure !== undefined) throw this.#failure;
      if (this.#stopped) owner.settle();
      await owner.close(outcome, this.#ending);
      return outcome;
    } catch (error) {
      executor.close();
      await owner.release();
      throw error;
    }
  }

  /** Every row has a result, or is cancelled: whoever executes the tasks must not lose any. */
  #refuseUnfinished(): void {
    const { size } = this.#unfinished;
    if (size === 0 || this.#stopped || this.#budget !== undefined) return;
    throw new AssayError('host-failed', `${countOf(size, 'result')} did not come.`, {
      hints: [`Run what is missing: assay run --resume ${this.#options.owner.run.runId}`],
    });
  }

  /** Number of requests so far for which there was no recording. */
  get notRecorded(): number {
    return this.#doctor.missed;
  }

  get #ending(): Omit<Ending, 'outcome'> {
    const prices = this.#options.pricer.source;
    const waited = Object.fromEntries(this.calls?.waited ?? []);
    return {
      ...(prices !== undefined && { prices }),
      ...(Object.keys(waited).length > 0 && { waited }),
      ...this.#place,
      ...(this.#budget && { budget: this.#budget }),
    };
  }

  /** Not before the first result, which a process would hold up. */
  async #findPlace(): Promise<void> {
    this.#git ??= this.#options.gitState?.() ?? Promise.resolve(undefined);
    const state = await this.#git;
    if (state === undefined) return;
    this.#place = { commit: state.commit, ...(state.isDirty && { dirty: true }) };
  }

  /** Lets running tasks finish and starts no others; resolves when nothing can start any more. */
  async pause(): Promise<void> {
    if (this.#isPaused || this.#stopped) return;
    this.#isPaused = true;
    this.#options.owner.paused = true;
    await this.#options.executor.pause();
    if (this.#isPaused) this.#options.onEvent({ type: 'paused' });
  }

  /** Continues. Errors: `storage-full`, `storage-unusable` while finished results cannot be stored; it stays paused. */
  resume(): void {
    if (!this.#isPaused) return;
    if (this.#unstored.length > 0) this.#store(this.#unstored);
    this.#isPaused = false;
    this.#options.owner.paused = false;
    this.#options.executor.resume();
    this.#options.onEvent({ type: 'resumed' });
  }

  /** Cancels all unfinished rows at once; the processes have ended when {@link run} resolves. */
  stop(): number {
    if (this.#stopped) return 0;
    const { owner, rowWork, executor, onEvent } = this.#options;
    this.#storeUnjudged();
    this.#stopped = true;
    // Also if it cannot be saved that they are cancelled: whoever resumes the run then looks for what is pending.
    rowWork.showRunning([...this.#unfinished], false);
    try {
      if (this.#unstored.length > 0) this.#store(this.#unstored);
      rowWork.cancel([...this.#unfinished]);
      owner.end({ outcome: 'stopped', ...this.#ending, may_call: true });
    } catch (error) {
      this.#failure ??= error;
    }
    this.#onStored();
    const cancelled = this.#unfinished.size;
    owner.markEnding();
    void executor.stop();
    onEvent({ type: 'stopped', cancelled });
    return cancelled;
  }

  /**
   * Starts nothing else, lets the running rows finish that are the last ones of every call, and stops then. Resolves with
   * their number when nothing can start any more.
   */
  async stopAfter(isLast: (index: number) => boolean): Promise<number> {
    const before = this.#isLast;
    this.#isLast = before === undefined ? isLast : (index) => before(index) && isLast(index);
    this.#stopAfterLast();
    if (this.#stopped) return 0;
    await this.#options.executor.pause();
    return this.#last().length;
  }

  /** The running rows after which the execution stops. */
  #last(): number[] {
    return [...this.#running].filter((index) => this.#isLast?.(index));
  }

  #stopAfterLast(): void {
    if (this.#isLast === undefined || this.#stopped) return;
    if (this.#unfinished.size > 0 && this.#last().length === 0) this.stop();
  }

  /** Cancels the remaining rows if the budget stopped the execution. */
  #endBudget(): void {
    const { calls, rowWork } = this.#options;
    const { budget } = calls ?? {};
    if (calls?.hasStopped !== true || budget === undefined || this.#stopped) return;
    const { refused, maxCost } = budget;
    if (refused.length + this.#unfinished.size === 0) return;
    rowWork.cancel([...this.#unfinished]);
    this.#budget = { max_cost: maxCost, refused: toRanges(refused) };
  }

  get calls(): CallControl | undefined {
    return this.#options.calls;
  }

  take(count: number): Task[] {
    if (this.calls?.hasStopped === true) return [];
    const { indices, rowWork } = this.#options;
    const taken = indices.slice(this.#next, this.#next + count);
    this.#next += taken.length;
    return taken.map((index) => rowWork.taskOf(index));
  }

  get ahead(): number {
    return this.calls?.hasBudget === true ? 0 : this.#options.rowWork.ahead;
  }

  left(): number {
    return this.calls?.hasStopped === true ? 0 : this.#options.indices.length - this.#next;
  }

  onStarted(tasks: readonly Task[]): void {
    const indices = tasks.map((task) => task.task);
    for (const index of indices) this.#running.add(index);
    this.#options.rowWork.showRunning(indices, true);
    this.#options.onEvent({ type: 'started', indices });
  }

  onReturned(tasks: readonly Task[]): void {
    const indices = tasks.map((task) => task.task);
    for (const index of indices) {
      this.calls?.forget(index);
      this.#running.delete(index);
    }
    this.#options.rowWork.showRunning(indices, false);
    this.#options.onEvent({ type: 'returned', indices });
    this.#stopAfterLast();
  }

  onFinished(finished: readonly FinishedResult[]): void {
    if (this.#stopped) {
      for (const { index, outcome } of finished) this.#noteApart(index, outcome.calls);
      return;
    }
    for (const { index, id, outcome } of finished) {
      if (outcome.lookups !== undefined) this.#doctor.add(outcome.lookups);
      if (outcome.calls !== undefined) this.calls?.finished(index, id, outcome.calls);
    }
    this.#reads.push(...this.#options.recordings.note(finished));
    this.#preparing ??= this.#prepare(finished);
    if (this.#preparing === undefined) this.#judge(finished);
    else this.#unjudged.push(...finished);
  }

  /** A promise while the prices are loaded that judging these needs. */
  #prepare(finished: readonly FinishedResult[]): Promise<void> | undefined {
    if (finished.every(({ outcome }) => outcome.calls === undefined)) return undefined;
    return this.#options.pricer.load()?.then(() => {
      this.#preparing = undefined;
      if (!this.#stopped) this.#storeUnjudged();
    });
  }

  #storeUnjudged(): void {
    if (this.#unjudged.length > 0) this.#judge(this.#unjudged.splice(0));
  }

  #judge(finished: readonly FinishedResult[]): void {
    const judged = finished.map((one) => this.#options.rowWork.judge(this.#limited(one)));
    const unstored = this.#unstored.length === 0 ? judged : [...this.#unstored, ...judged];
    try {
      this.#store(unstored);
    } catch (error) {
      if (this.#options.waitsForRoom && isFull(error)) this.#waitForRoom(unstored, error);
      else this.#fail(error);
    }
  }

  #limited(finished: FinishedResult): FinishedResult {
    const limited = this.calls?.limited(finished) ?? finished;
    this.calls?.forget(finished.index);
    return limited;
  }

  #store(ended: readonly FinishedResult[]): void {
    const finished = ended.filter(({ outcome }) => outcome.left === undefined);
    const left = ended.filter(({ outcome }) => outcome.left !== undefined);
    this.#storeCode();
    if (finished.length > 0) this.#options.rowWork.record(finished);
    this.#codeOfResults.addResults(finished);
    if (left.length > 0) this.#options.rowWork.leave(left);
    this.#unstored = [];
    for (const { index } of ended) {
      this.#unfinished.delete(index);
      this.#running.delete(index);
    }
    const { onEvent } = this.#options;
    if (left.length > 0) onEvent({ type: 'returned', indices: left.map(({ index }) => index) });
    if (finished.length > 0) onEvent({ type: 'finished', results: finished });
    if (finished.length > 0) void this.#findPlace();
    // Nothing of it is unfinished any more, so it reads as finished from now on, although its log is not closed yet.
    if (this.#unfinished.size === 0) this.#options.owner.markEnding();
    this.#onStored();
    this.#stopAfterLast();
  }

  #storeCode(): void {
    if (this.#codes.length + this.#reads.length === 0) return;
    this.#options.recordCode(this.#codes, this.#reads);
    this.#codeOfResults.addCode(this.#codes);
    this.#codes = [];
    this.#reads = [];
  }

  onCode(codes: readonly FoundCode[]): void {
    this.#codes.push(...codes);
    try {
      // In case nothing else finishes for long.
      this.#storeCode();
    } catch (error) {
      // It is stored with the next result.
      if (!isFull(error)) this.#fail(error);
    }
  }

  onCodeProblem(problem: string): void {
    this.#codeOfResults.problem = problem;
  }

  onReads(reads: readonly FileReads[]): void {
    this.#reads.push(...reads);
  }

  #waitForRoom(unstored: readonly FinishedResult[], { message }: AssayError): void {
    const isNews = this.#unstored.length === 0;
    this.#unstored = unstored;
    if (!isNews) return;
    const text = `${message} The run is paused: make room on that disk, then resume it.`;
    this.#options.onEvent({ type: 'warned', text });
    void this.pause();
  }

  /** Resolves when everything that has finished is in the log, or it is stopped. */
  async #allStored(): Promise<void> {
    if (this.#unstored.length === 0 || this.#stopped) return;
    await new Promise<void>((resolve) => {
      this.#onStored = resolve;
    });
  }

  onPrinted(task: Task, stream: LogStream, text: string): void {
    this.#options.onEvent({ type: 'printed', index: task.task, stream, text });
  }

  onCalled(index: number, calls: StoredCalls): void {
    if (this.#isOver) return;
    // Calls that grade the attempt that counts would become those of the newest.
    if (this.#stopped || index >= this.#options.owner.run.rows.length) {
      this.#noteApart(index, calls);
      return;
    }
    this.#unlisted = this.#unlisted
      .then(() => this.#preparing)
      // Without its result in the log there is nothing they belong to.
      .then(async () => {
        if (this.#unfinished.has(index)) return;
        this.#options.owner.addCalls(index, await this.#priced(calls));
      })
      .catch((error: unknown) => {
        if (!this.#options.waitsForRoom || !isFull(error)) this.#fail(error);
      });
  }

  #noteApart(index: number, calls: StoredCalls | undefined): void {
    for (const call of calls?.calls ?? []) this.#apart.set(`${index} ${call.number}`, call);
  }

  /** Resolves when calls that ended so far are in the log. */
  async #settled(): Promise<void> {
    for (let last: unknown; last !== this.#unlisted; ) {
      last = this.#unlisted;
      await last;
    }
  }

  onUnlisted(calls: readonly StoredCall[]): void {
    // What has a cost was made before: a regrade brings the calls of its target.
    const made = calls.filter(({ cost, replayed }) => cost === undefined && replayed !== true);
    if (made.length === 0) return;
    this.#unlisted = this.#unlisted
      .then(() => this.#priced({ calls: made, texts: [] }))
      .then(({ calls }) => this.#options.owner.addUnlisted(usageOf(calls)))
      .catch((error: unknown) => this.#fail(error));
  }

  async #priced(calls: StoredCalls): Promise<StoredCalls> {
    const { pricer } = this.#options;
    if (calls.calls.some(mayCost)) await pricer.load();
    return pricer.price(calls);
  }

  onCutOff(): void {
    try {
      this.#options.owner.addUnlisted(cutOffUsage);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Results cannot be stored: nothing else is worth starting. */
  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#stopped = true;
    void this.#options.executor.stop();
  }
}

function isFull(error: unknown): error is AssayError {
  return error instanceof AssayError && error.code === 'storage-full';
}
