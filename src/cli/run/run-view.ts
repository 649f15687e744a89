import type { ChalkInstance } from 'chalk';
import type { RunEvent } from '../../runner/events.js';
import { isSet } from '../environment.js';
import { renderEvaluationError } from '../report/evaluation-error.js';
import { countOf, renderCount } from '../terminal/figures.js';
import { type LineStream, LiveLine } from '../terminal/live-line.js';
import { escapeLines, escapeTerminal, fitWidth } from '../terminal/terminal-text.js';
import { wrapParts } from '../terminal/wrap-parts.js';
import { PrintedLines } from './printed-lines.js';
import { PlainProgress, renderProgressLine } from './run-view-line.js';
import { RunProgress } from './run-view-progress.js';

export interface RunViewOptions {
  /** Where people look: stderr. */
  readonly stream: LineStream;
  /** Width where the stream says none. */
  readonly columns: number;
  readonly isTerminal: boolean;
  readonly colours: ChalkInstance;
  /** Show what evaluations print. */
  readonly verbose: boolean;
  /** Says with `CI`, `NO_COLOR` and `TERM` whether a live line is wanted. */
  readonly env: { readonly [name: string]: string | undefined };
  /** Name of the evaluation of a row. */
  readonly nameOf: (index: number) => string;
  /** Folder that stack frames are shown relative to. */
  readonly cwd: string;
  /** Takes secrets out of what evaluations print and of lines of code. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Milliseconds of a clock that never goes back; default: the process's. */
  readonly now?: (() => number) | undefined;
}

/** Shows people a run while it goes on. */
export interface RunView {
  readonly onEvent: (event: RunEvent) => void;
  /** Whether there is a live line; errors of evaluations are then not printed as they happen. */
  readonly isLive: boolean;
  /** Prints a remark, `! text`, above the live line if there is one. */
  note(text: string): void;
  /** Takes the live line away and prints what is left. May be called again. */
  end(): void;
}

// A run in which everything fails must not print everything.
const mostErrors = 20;
/** How long nothing need be seen. */
const patienceMs = 300;

/** Makes the view of one execution. */
export function createRunView(options: RunViewOptions): RunView {
  return new EventView(options);
}

/** True where a line that is drawn again and again can be shown and is wanted. */
export function wantsLiveLine(isTerminal: boolean, env: RunViewOptions['env']): boolean {
  return isTerminal && !isSet(env.CI) && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

class EventView implements RunView {
  readonly isLive: boolean;
  readonly #options: RunViewOptions;
  readonly #live: LiveLine;
  readonly #plain: PlainProgress;
  readonly #printed: PrintedLines;
  #progress: RunProgress;
  #discovered: Extract<RunEvent, { type: 'discovered' }> | undefined;
  #errors = 0;
  /** What is done before there is any progress to show. */
  #preparing: string | undefined;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: RunViewOptions) {
    this.#options = options;
    this.isLive = wantsLiveLine(options.isTerminal, options.env);
    this.#progress = this.#newProgress();
    this.#plain = new PlainProgress();
    this.#printed = new PrintedLines(
      (index) => escapeTerminal(options.nameOf(index)),
      options.redact ?? ((text) => text),
    );
    this.#live = new LiveLine(options.stream, () =>
      this.#preparing === undefined
        ? renderProgressLine(this.#progress, this.#columns - 1, options.colours)
        : fitWidth(`  ${this.#preparing} …`, this.#columns - 1),
    );
  }

  readonly onEvent = (event: RunEvent): void => {
    switch (event.type) {
      case 'importing':
        this.#prepare(`importing ${countOf(event.files, 'file')}`);
        return;
      case 'discovered':
        this.#discovered = event;
        this.#prepare(`saving ${countOf(event.evaluations, 'evaluation')}`);
        return;
      case 'opened':
        this.#open(event);
        return;
      case 'finished':
        this.#finish(event);
        return;
      case 'printed':
        if (!this.#options.verbose) return;
        this.#print(this.#printed.add(event.index, event.stream, event.text));
        return;
      case 'warned':
        this.note(event.text);
        return;
      default:
        this.#change(event);
    }
  };

  note(text: string): void {
    const [first = '', ...rest] = escapeLines(text.trimEnd());
    const mark = this.#options.colours.yellow('!');
    this.#print([`${mark} ${first}`, ...rest.map((line) => `  ${line}`)]);
  }

  end(): void {
    clearTimeout(this.#patience);
    this.#live.stop();
    this.#print(this.#printed.finishAll());
  }

  get #columns(): number {
    // Some terminals say 0.
    return this.#options.stream.columns || this.#options.columns || 80;
  }

  #newProgress(): RunProgress {
    return new RunProgress(this.#options.now ?? (() => performance.now()));
  }

  /** Most of the time it is over before anybody wonders. */
  #prepare(what: string): void {
    this.#preparing = what;
    if (this.isLive) this.#patience ??= setTimeout(() => this.#live.start(), patienceMs).unref();
  }

  #open(event: Extract<RunEvent, { type: 'opened' }>): void {
    clearTimeout(this.#patience);
    this.#preparing = undefined;
    this.#progress = this.#newProgress();
    this.#progress.total = event.selected;
    this.#print(firstLines(event, this.#discovered, this.#columns));
    if (this.#discovered?.onlyMarked) this.note('Only evaluations marked `only` are run.');
    if (this.isLive) this.#live.start();
  }

  #finish({ results }: Extract<RunEvent, { type: 'finished' }>): void {
    this.#progress.count(results);
    const lines = this.#options.verbose
      ? results.flatMap(({ index }) => this.#printed.finish(index))
      : [];
    if (!this.isLive) {
      for (const { index, outcome } of results) {
        if (outcome.status === 'error') lines.push(...this.#errorLines(index, outcome.error ?? ''));
      }
      lines.push(...this.#plain.lines(this.#progress));
    }
    this.#print(lines);
  }

  #errorLines(index: number, error: string): string[] {
    this.#errors += 1;
    if (this.#errors > mostErrors + 1) return [];
    if (this.#errors > mostErrors) return ['  … more errors follow in the table'];
    const { nameOf, cwd, colours, redact } = this.#options;
    return renderEvaluationError(nameOf(index), error, {
      cwd,
      colours,
      redact,
      columns: this.#columns,
    });
  }

  #change(event: RunEvent): void {
    switch (event.type) {
      case 'paused':
        this.#progress.change('paused');
        if (!this.isLive) this.#print(['  paused']);
        return;
      case 'resumed':
        this.#progress.change('running');
        if (!this.isLive) this.#print(['  resumed']);
        return;
      case 'stopped':
        this.#progress.change('stopping');
        if (!this.isLive) this.#print([`  stopping, ${renderCount(event.cancelled)} cancelled`]);
        return;
      default:
    }
  }

  #print(lines: readonly string[]): void {
    if (lines.length > 0) this.#live.printAbove(`${lines.join('\n')}\n`);
  }
}

/** What is run, how much of it, and where it goes. */
function firstLines(
  opened: Extract<RunEvent, { type: 'opened' }>,
  discovered: Extract<RunEvent, { type: 'discovered' }> | undefined,
  columns: number,
): string[] {
  const { selected, session_name, run_name, config_name } = opened;
  const { files = [], evaluations, skipped = 0 } = discovered ?? {};
  const parts = [
    ...(files.length === 0 ? [] : [fileText(files)]),
    evaluations === undefined ? countOf(selected, 'result') : evaluationText(evaluations, selected),
    ...(skipped === 0 ? [] : [`${renderCount(skipped)} skipped`]),
    `session ${escapeTerminal(session_name)}`,
    `run ${escapeTerminal(run_name)}`,
    `config ${escapeTerminal(config_name)}`,
  ];
  return wrapParts(parts, columns, '');
}

function fileText(files: readonly string[]): string {
  const [only = ''] = files;
  return files.length === 1
    ? escapeTerminal(only.slice(only.lastIndexOf('/') + 1))
    : countOf(files.length, 'file');
}

function evaluationText(evaluations: number, rows: number): string {
  const text = countOf(evaluations, 'evaluation');
  if (rows === evaluations) return text;
  const trials = rows / evaluations;
  return Number.isInteger(trials)
    ? `${text} × ${countOf(trials, 'trial')}`
    : `${text}, ${countOf(rows, 'trial')}`;
}
