import { AssayError } from '../../../errors.js';
import { exitCode } from '../../../model/exit-code.js';
import type { DiscoveryError } from '../../../runner/discovery/discovery-error.js';
import type { RunEvent } from '../../../runner/events.js';
import type { Started } from '../../../runner/execution/begin-execution.js';
import type { ExecutionOutcome } from '../../../runner/execution/execution.js';
import { prestartHost } from '../../../runner/local/spawn-host.js';
import type { RunnerDependencies } from '../../../runner/runner-dependencies.js';
import {
  ProjectWatch,
  searchedFolders,
  watchedAlways,
} from '../../../runner/watching/project-watch.js';
import { unaffectedBy } from '../../../runner/watching/unaffected-rows.js';
import type { StoredRun } from '../../../store/stored-run.js';
import { countOf } from '../../../text/count-text.js';
import { isLatestRun } from '../../report/report-options.js';
import { onInterrupt } from '../../signals.js';
import { begin, openCommandRunner, openOutput } from '../run-command.js';
import { type RunCommandOptions, savedRunSettings } from '../run-command-options.js';
import type { ProgressOutput } from '../run-output.js';
import { makeTemporaryResults, type TemporaryResults } from '../temporary-results.js';
import { beginRound, type Filter, LastVerdicts } from './begin-round.js';
import {
  printError,
  printLine,
  printLines,
  printWaiting,
  RoundOutput,
  titleOf,
  writeJson,
} from './watch-output.js';
import {
  cancelText,
  type FilteredBy,
  keyTexts,
  WatchKeys,
  type Which,
  type Wish,
  Wishes,
} from './wishes.js';

export interface WatchedOptions extends RunCommandOptions {
  /** Reads the settings file and `.env` again. */
  readonly reload: () => Promise<Pick<RunCommandOptions, 'settings' | 'addedEnv'>>;
}

/** What a round begins with. */
interface Begun {
  readonly run: StoredRun;
  readonly started?: Started;
}

/** A round in progress. */
interface Current {
  readonly output: ProgressOutput;
  /** Drops what has not finished. */
  readonly stop: () => void;
  /** Its rows, once they run. */
  begun?: Begun;
  /** It ends with what runs now. */
  isEnding?: boolean;
}

interface Ended<B extends Begun> {
  readonly begun: B;
  readonly outcome: ExecutionOutcome;
}

/** Milliseconds for which saves keep a round from beginning. */
const longestMs = 1000;

const titles: { readonly [which in Which]: string } = {
  changed: 'what has changed',
  all: 'all',
  failed: 'failed',
  errors: 'errors',
};

/** A run that waits for saved files and keys, and runs again, in place, what they ask for: one round after the other. */
export class WatchSession {
  #options: WatchedOptions;
  #runner: RunnerDependencies | undefined;
  #temporary: TemporaryResults | undefined;
  #runId: string | undefined;
  #current: Current | undefined;
  /** The files that the current round is for, as far as there are any. */
  #saved: readonly string[] = [];
  #filter: Filter = { paths: '', names: '' };
  #following: Promise<unknown> = Promise.resolve();
  /** What could not be imported last. */
  #importProblem: string | undefined;
  /** When files were saved that no round has begun with, as `performance.now()`. */
  #unansweredSince: number | undefined;
  #isSaid = false;
  readonly #wishes = new Wishes();
  readonly #verdicts = new LastVerdicts();
  readonly #watch: ProjectWatch;
  readonly #keys = WatchKeys.areThere ? new WatchKeys((wish) => this.#take(wish)) : undefined;

  constructor(options: WatchedOptions) {
    this.#options = options;
    const { settings, flags, paths } = options;
    const cwd = process.cwd();
    if (flags['no-save']) this.#temporary = makeTemporaryResults();
    this.#watch = new ProjectWatch({
      cwd,
      searched: searchedFolders(paths, cwd),
      leftOut: [
        settings.effective('results_dir').value,
        settings.effective('recordings_dir').value,
      ],
      onBatch: (names) => this.#take({ type: 'changed', names }),
      onWritten: (name) => this.#note(`Evaluations write ${name}: its changes run nothing.`),
      onProblem: (text) => this.#note(`${text}. Enter runs what has changed.`),
    });
  }

  /** Resolves with the exit code when somebody quits. Errors: those of the first run that saving a file does not mend. */
  async run(): Promise<number> {
    const since = Date.now();
    let isAsked = false;
    const stopListening = onInterrupt((signal) => {
      if (isAsked) process.exit(exitCode({ signal, gates: [] }));
      isAsked = true;
      this.#take({ type: 'quit', signal });
    });
    this.#temporary?.leaveSignals();
    try {
      this.#runner = await this.#open();
      this.#follow(watchedAlways(this.#options.settings, this.#runner.cwd), since);
      this.#keys?.start();
      await this.#first();
      for (;;) {
        await this.#sayWaiting();
        const wish = await this.#wishes.next();
        if (wish.type === 'quit') {
          const { signal } = wish;
          return exitCode({ ...(signal && { signal }), gates: [] });
        }
        await this.#obey(wish);
      }
    } finally {
      stopListening();
      this.#keys?.stop();
      await this.#watch.close();
      this.#temporary?.remove();
    }
  }

  #open(): Promise<RunnerDependencies> {
    const onEvent = (event: RunEvent) => this.#onEvent(event);
    return openCommandRunner(this.#options, onEvent, this.#temporary?.folder);
  }

  #onEvent(event: RunEvent): void {
    if (event.type !== 'touched') {
      this.#current?.output.onEvent(event);
      return;
    }
    for (const name of event.writes) this.#watch.leaveOut(name);
    this.#follow(event.looks, event.since);
  }

  #follow(...[looks, since]: Parameters<ProjectWatch['follow']>): void {
    this.#following = Promise.all([this.#following, this.#watch.follow(looks, since)]).catch(
      (error: unknown) => this.#note(String(error)),
    );
  }

  #note(text: string): void {
    if (this.#current === undefined) printLine(text);
    else this.#current.output.note(text);
  }

  /** Receives a wish at any time. What is being run for an older one is dropped where the new one makes it useless. */
  #take(wish: Wish): void {
    if (wish.type === 'help') {
      printLine([...keyTexts, cancelText].join(' · '));
      return;
    }
    // At once, so that the question has the keys that came with this one.
    if (wish.type === 'ask' && this.#wishes.isAwaited) {
      void this.#ask(wish.by);
      return;
    }
    if (this.#current !== undefined) {
      if (wish.type === 'run' || wish.type === 'filter' || wish.type === 'ask') return;
      this.#drop(this.#current, wish);
    }
    if (wish.type !== 'cancel') this.#wishes.add(wish);
  }

  /** Ends a round, except for what runs and cannot be affected by saved files. */
  #drop(current: Current, wish: Wish): void {
    const { output, stop, begun } = current;
    if (begun === undefined && wish.type === 'changed') {
      // Saves that never stop would keep every round from beginning: this one does, the next one has the rest.
      this.#unansweredSince ??= performance.now();
      if (performance.now() - this.#unansweredSince > longestMs) return;
    }
    if (begun?.started !== undefined && wish.type === 'changed') {
      const { started, run } = begun;
      const isFirst = !current.isEnding;
      current.isEnding = true;
      void started.execution.stopAfter(unaffectedBy(wish.names, run)).then((left) => {
        if (left === 0 || !isFirst) return;
        output.say(`finishing ${countOf(left, 'result')} that the save does not affect`);
      });
      return;
    }
    stop();
    if (begun !== undefined) return;
    // The next round is for these files, too.
    if (wish.type === 'changed') this.#wishes.add({ ...wish, names: this.#saved });
    if (wish.type === 'cancel') {
      output.end();
      output.printTitle();
      printLine('stopped');
    }
  }

  /** Asks for a filter; nothing runs meanwhile, because its lines would go through those of the question. */
  async #ask(by: FilteredBy): Promise<void> {
    this.#wishes.hold();
    const text = await this.#keys?.ask(by);
    this.#wishes.release();
    if (text !== undefined) this.#take({ type: 'filter', by, text });
  }

  async #obey(wish: Wish): Promise<void> {
    this.#saved = wish.type === 'changed' ? wish.names : [];
    if (wish.type === 'changed') {
      if (await this.#reload(wish.names)) await this.#again('changed', wish.names);
      return;
    }
    // Not awaited: somebody may quit meanwhile.
    if (wish.type === 'ask') void this.#ask(wish.by);
    if (wish.type === 'filter') this.#filter = { ...this.#filter, [wish.by]: wish.text };
    if (wish.type === 'filter') await this.#again('all', [this.#filterText()]);
    if (wish.type === 'run') await this.#again(wish.which, [titles[wish.which]]);
  }

  #filterText(): string {
    const { paths, names } = this.#filter;
    const parts = [
      ...(paths === '' ? [] : [`paths with ${paths}`]),
      ...(names === '' ? [] : [`names with ${names}`]),
    ];
    return parts.length === 0 ? 'all' : parts.join(', ');
  }

  /** Takes over changed settings and variables. False if they cannot be read. */
  async #reload(names: readonly string[]): Promise<boolean> {
    if (![this.#options.settings.fileName, '.env'].some((name) => names.includes(name))) {
      return true;
    }
    try {
      this.#options = { ...this.#options, ...(await this.#options.reload()) };
      this.#runner = await this.#open();
      return true;
    } catch (error) {
      printLines([titleOf(names)]);
      printError(error);
      return false;
    }
  }

  async #first(title?: readonly string[]): Promise<void> {
    const { flags, json } = this.#options;
    const output = openOutput(this.#options, { title, hint: this.#hint });
    if (this.#runner !== undefined) output.redact = this.#runner.redact;
    const ended = await this.#execute(output, true, (runner, signal) =>
      begin(runner, this.#options, { latencies: undefined }, signal),
    );
    if (ended === undefined) return;
    const { run, started, remarks } = ended.begun;
    for (const remark of remarks) output.note(remark);
    const waited = started?.execution.calls?.waited;
    const isLatest = this.#runner && (await isLatestRun(this.#runner.store, run));
    await output.report(run, [], undefined, { waited, isLatest });
    if (json && !flags.list) await writeJson(run, undefined);
    this.#verdicts.update(run.rows, run.rows.keys());
    await run.close();
  }

  /** Runs rows of the run again; all for the first time, if no run has begun. */
  async #again(which: Which, names: readonly string[]): Promise<void> {
    const title = [titleOf(names)];
    const runId = this.#runId;
    if (runId === undefined) {
      await this.#first(title);
      return;
    }
    const verbose = this.#options.settings.effective('verbose').value;
    const output = new RoundOutput({ verbose, title, hint: this.#hint, withHeading: false });
    if (this.#runner !== undefined) output.redact = this.#runner.redact;
    const began = performance.now();
    const settingsOf = (run: StoredRun) => savedRunSettings(run, this.#options);
    const ended = await this.#execute(output, false, (runner, signal) =>
      beginRound(runner, runId, { which, filter: this.#filter, settingsOf, signal }),
    );
    if (ended === undefined) return;
    const { begun, outcome } = ended;
    const { run, gone, importProblem } = begun;
    output.end();
    output.printTitle();
    this.#sayImportProblem(importProblem);
    const changes = this.#verdicts.update(run.rows, output.ran);
    const took = (performance.now() - began) / 1000;
    await output.report({ run, changes, took, outcome, gone: gone.length, which });
    if (this.#options.json) await writeJson(run, output.ran);
    // The next round opens it again, with what others have changed.
    await run.close();
  }

  /** Says in full what is new. */
  #sayImportProblem(problem: DiscoveryError | undefined): void {
    const before = this.#importProblem;
    this.#importProblem = problem?.message;
    if (problem === undefined) return;
    const files = problem.failures.map(({ file }) => file);
    if (problem.message === before) printLine(`still not importable: ${files.join(', ')}`);
    else printError(new AssayError(problem.code, problem.message));
  }

  get #hint(): string | undefined {
    return this.#keys && cancelText;
  }

  /** Executes a round; `undefined` if it could not begin, which has been said. */
  async #execute<B extends Begun>(
    output: ProgressOutput,
    isFirst: boolean,
    begins: (runner: RunnerDependencies, signal: AbortSignal) => Promise<B>,
  ): Promise<Ended<B> | undefined> {
    const planning = new AbortController();
    let started: Started | undefined;
    const stop = () => {
      planning.abort();
      started?.execution.stop();
    };
    const current: Current = { output, stop };
    this.#current = current;
    try {
      if (this.#runner === undefined) throw new Error('there is no runner');
      const begun = await begins(this.#runner, planning.signal);
      started = begun.started;
      current.begun = begun;
      this.#unansweredSince = undefined;
      output.run = begun.run;
      output.calls = started?.execution.calls;
      this.#runId = begun.run.runId;
      if (planning.signal.aborted) stop();
      const outcome = started === undefined ? 'finished' : await started.finished;
      return { begun, outcome };
    } catch (error) {
      output.end();
      if (planning.signal.aborted) return undefined;
      if (isFirst && !isMended(error)) throw error;
      output.printTitle();
      printError(error);
      return undefined;
    } finally {
      output.end();
      this.#current = undefined;
      // The next round finds a process that has started already.
      prestartHost({ findsCode: true });
    }
  }

  async #sayWaiting(): Promise<void> {
    if (this.#isSaid || this.#wishes.isQuitting) return;
    this.#isSaid = true;
    await this.#following;
    printWaiting(this.#watch.size, this.#keys ? keyTexts : []);
  }
}

/** True for an error that goes when somebody saves an eval file. */
function isMended(error: unknown): boolean {
  return (
    error instanceof AssayError && ['discovery-failed', 'nothing-selected'].includes(error.code)
  );
}
