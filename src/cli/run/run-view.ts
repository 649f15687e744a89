import type { ChalkInstance } from 'chalk';
import { renderParams } from '../../model/param-text.js';
import { shardText } from '../../model/shard.js';
import type { RunEvent } from '../../runner/events.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { asTyped } from '../as-typed.js';
import { renderEvaluationError } from '../report/evaluation-error.js';
import { isSet } from '../switch-variable.js';
import { type LineStream, LiveLine } from '../terminal/live-line.js';
import {
  escapeLines,
  escapeTerminal,
  fitWidth,
  widthOf,
  wrapParts,
} from '../terminal/terminal-text.js';
import {
  type CallProgress,
  PlainProgress,
  RunProgress,
  renderProgressLine,
} from './run-view-progress.js';

export interface RunViewOptions {
  /** The stream for people: stderr. */
  readonly stream: LineStream;
  /** Width if the stream does not report one. */
  readonly columns: number;
  readonly isTerminal: boolean;
  readonly colours: ChalkInstance;
  /** Show output of evaluations. */
  readonly verbose: boolean;
  /** `CI`, `NO_COLOR` and `TERM` decide whether there is a live line. */
  readonly env: { readonly [name: string]: string | undefined };
  /** The name of a row's evaluation. */
  readonly nameOf: (index: number) => string;
  /** Effects of limits and rates so far; `undefined` without them. */
  readonly calls?: (() => CallProgress | undefined) | undefined;
  /** Say first what runs. Default true. */
  readonly withHeading?: boolean | undefined;
  /** Say how many rows run even if all do. Default false. */
  readonly countsRows?: boolean | undefined;
  /** Lines to print before anything else. Default: none. */
  readonly title?: readonly string[] | undefined;
  /** What the live line ends with, if there is room. Default: nothing. */
  readonly hint?: string | undefined;
  /** The folder to which stack frames are relative. */
  readonly cwd: string;
  /** Redacts secrets in output of evaluations and in lines of code. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Milliseconds of a monotonic clock; default: that of the process. */
  readonly now?: (() => number) | undefined;
}

// A run in which everything fails must not print everything.
const mostErrors = 20;
/** Delay before a slow step is shown. */
const patienceMs = 300;

/** True when the stream can show a line that is redrawn, and the environment allows it. */
export function wantsLiveLine(isTerminal: boolean, env: RunViewOptions['env']): boolean {
  return isTerminal && !isSet(env.CI) && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/** Shows the progress of one execution. */
export class RunView {
  /** True with a live line; errors of evaluations are then not printed as they happen. */
  readonly isLive: boolean;
  readonly #options: RunViewOptions;
  readonly #live: LiveLine;
  readonly #plain: PlainProgress;
  readonly #printed: PrintedLines;
  #progress: RunProgress;
  #discovered: Extract<RunEvent, { type: 'discovered' }> | undefined;
  #errors = 0;
  #hasTitle = false;
  /** The current step before there is any progress. */
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
    this.#live = new LiveLine(options.stream, () => this.#renderLive());
  }

  onEvent(event: RunEvent): void {
    switch (event.type) {
      case 'importing':
        this.#prepare(`importing ${countOf(event.files, 'file')}`);
        return;
      case 'discovered':
        this.#discovered = event;
        this.#prepare(`saving ${countOf(event.evaluations, 'case')}`);
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
  }

  /** Prints the title, unless it has been printed. */
  printTitle(): void {
    const { title = [] } = this.#options;
    if (this.#hasTitle || title.length === 0) return;
    this.#hasTitle = true;
    this.#live.printAbove(`${title.join('\n')}\n`);
  }

  /** Prints an indented line above the live line if there is one. */
  say(text: string): void {
    this.#print([`  ${text}`]);
  }

  /** Prints a remark, `! text`, above the live line if there is one. */
  note(text: string): void {
    const [first = '', ...rest] = escapeLines(asTyped(text).trimEnd());
    const mark = this.#options.colours.yellow('!');
    this.#print([`${mark} ${first}`, ...rest.map((line) => `  ${line}`)]);
  }

  /** Removes the live line and prints pending output. Can be called again. */
  end(): void {
    clearTimeout(this.#patience);
    this.#live.stop();
    this.#print(this.#printed.finishAll());
  }

  get #columns(): number {
    // Some terminals report 0.
    return this.#options.stream.columns || this.#options.columns || 80;
  }

  #newProgress(): RunProgress {
    const { now = () => performance.now(), calls } = this.#options;
    return new RunProgress(now, calls);
  }

  #renderLive(): string {
    const { colours, hint } = this.#options;
    const room = this.#columns - 1;
    const after = hint === undefined ? '' : ` · ${hint}`;
    const line =
      this.#preparing === undefined
        ? renderProgressLine(this.#progress, room - after.length, colours)
        : fitWidth(`  ${this.#preparing} …`, room);
    return widthOf(line) + after.length > room ? line : line + colours.dim(after);
  }

  /** Shows a step only if it takes longer than a moment. */
  #prepare(what: string): void {
    this.#preparing = what;
    if (this.isLive) this.#patience ??= setTimeout(() => this.#live.start(), patienceMs).unref();
  }

  #open(event: Extract<RunEvent, { type: 'opened' }>): void {
    clearTimeout(this.#patience);
    this.#preparing = undefined;
    this.#progress = this.#newProgress();
    this.#progress.total = event.selected;
    this.#progress.regraded = new Set(event.regraded);
    this.printTitle();
    if (this.#options.withHeading !== false) {
      this.#print(firstLines(event, this.#discovered, this.#options.countsRows, this.#columns));
    }
    if (event.shard !== undefined && event.selected === 0) {
      const { cases } = event.shard;
      this.note(
        `There ${cases === 1 ? 'is' : 'are'} only ${countOf(cases, 'case')}, so ${shardText(event.shard)} has none. It is saved as an empty run; gates do not judge it.`,
      );
    }
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
    if (lines.length === 0) return;
    this.printTitle();
    this.#live.printAbove(`${lines.join('\n')}\n`);
  }
}

/** The heading: evaluations, their number, and where the results go. */
function firstLines(
  opened: Extract<RunEvent, { type: 'opened' }>,
  discovered: Extract<RunEvent, { type: 'discovered' }> | undefined,
  countsRows: boolean | undefined,
  columns: number,
): string[] {
  const { selected, session_name, run_name, config_name, shard, params } = opened;
  const { files = [], evaluations, skipped = 0 } = discovered ?? {};
  const parts = [
    ...(files.length === 0 ? [] : [fileText(files)]),
    evaluations === undefined
      ? countOf(selected, 'result')
      : [evaluationText(evaluations, opened.rows), ...selectedText(opened, countsRows)].join(', '),
    ...(shard === undefined ? [] : [shardText(shard)]),
    ...(skipped === 0 ? [] : [`${renderCount(skipped)} skipped`]),
    `session ${escapeTerminal(session_name)}`,
    `run ${escapeTerminal(run_name)}`,
    `config ${escapeTerminal(config_name)}`,
    ...(params === undefined ? [] : [escapeTerminal(renderParams(params))]),
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
  const text = countOf(evaluations, 'case');
  if (rows === evaluations) return text;
  const trials = rows / evaluations;
  return Number.isInteger(trials)
    ? `${text} × ${countOf(trials, 'trial')}`
    : `${text}, ${countOf(rows, 'trial')}`;
}

/** `12 to run`, `30 to regrade`; nothing if all rows of the run are to run, unless that is worth saying. */
function selectedText(
  { selected, regraded = [], rows }: Extract<RunEvent, { type: 'opened' }>,
  countsRows = false,
) {
  const run = selected - regraded.length;
  if (run === rows && !countsRows) return [];
  const regrade = regraded.length === 0 ? [] : [`${renderCount(regraded.length)} to regrade`];
  return [`${renderCount(run)} to run`, ...regrade];
}

// A longer line is shown before it ends.
const longestKept = 8192;
// But its end is held back, because it may be the beginning of a secret.
const longestSecret = 1024;

/** Assembles printed output into whole lines, prefixed with the name of the evaluation. */
export class PrintedLines {
  readonly #nameOf: (index: number) => string;
  readonly #redact: (text: string) => string;
  /** Incomplete lines by evaluation and stream. */
  readonly #begun = new Map<number | undefined, Map<string, string>>();

  /** `redact` removes secrets; it gets whole lines, because a secret may arrive in several pieces. */
  constructor(nameOf: (index: number) => string, redact: (text: string) => string) {
    this.#nameOf = nameOf;
    this.#redact = redact;
  }

  /** Adds text and returns the completed lines. */
  add(index: number | undefined, stream: string, text: string): string[] {
    const begun = this.#begun.get(index) ?? new Map<string, string>();
    let all = (begun.get(stream) ?? '') + text;
    let end = all.lastIndexOf('\n') + 1;
    if (all.length - end > longestKept) {
      all = this.#redact(all);
      end = all.length - longestSecret;
    }
    if (end < all.length) begun.set(stream, all.slice(end));
    else begun.delete(stream);
    if (begun.size > 0) this.#begun.set(index, begun);
    else this.#begun.delete(index);
    return end === 0 ? [] : this.#label(index, all.slice(0, end));
  }

  /** The incomplete lines of an evaluation that has ended. */
  finish(index: number | undefined): string[] {
    const begun = this.#begun.get(index);
    if (begun === undefined) return [];
    this.#begun.delete(index);
    return [...begun.values()].flatMap((text) => this.#label(index, text));
  }

  /** The incomplete lines of all evaluations. */
  finishAll(): string[] {
    return [...this.#begun.keys()].flatMap((index) => this.finish(index));
  }

  #label(index: number | undefined, text: string): string[] {
    const name = index === undefined ? '' : `${escapeTerminal(this.#nameOf(index))} │ `;
    return escapeLines(this.#redact(text).replace(/\r?\n$/, '')).map((line) => `${name}${line}`);
  }
}
