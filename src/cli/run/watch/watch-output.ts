import { posix } from 'node:path';
import { hasCalls, RunUsageSum } from '../../../model/calls/run-usage.js';
import type { RunEvent } from '../../../runner/events.js';
import type { ExecutionOutcome } from '../../../runner/execution/execution.js';
import type { StoredRun } from '../../../store/stored-run.js';
import { countOf, renderCount } from '../../../text/count-text.js';
import { renderElapsed } from '../../../text/duration-text.js';
import { besideTaken, renderCost } from '../../../text/usage-text.js';
import { readKnownError } from '../../known-error.js';
import { writeDocument } from '../../output.js';
import { coloursFor } from '../../terminal/colour.js';
import { streamWidth } from '../../terminal/stream-width.js';
import { escapeLines, escapeTerminal, fitWidth, widthOf } from '../../terminal/terminal-text.js';
import { withoutSecrets } from '../../without-secrets.js';
import type { RunCommandOptions } from '../run-command-options.js';
import { createRunView, type RunView, type RunViewOptions } from '../run-view.js';
import type { CallProgress } from '../run-view-progress.js';
import type { VerdictChanges } from './verdict-changes.js';
import type { Which } from './wishes.js';

/** A round that has ended. */
export interface EndedRound {
  readonly run: StoredRun;
  readonly which: Which;
  readonly outcome: ExecutionOutcome;
  readonly changes: VerdictChanges;
  /** Seconds. */
  readonly took: number;
  /** Number of results whose evaluation no longer exists. */
  readonly gone: number;
}

const nothing: { readonly [which in Which]: string } = {
  changed: 'no result affected',
  all: 'no results',
  failed: 'no failed results',
  errors: 'no errors',
};

const widestRule = 66;
const mostNames = 3;

/** The output of one round: lines on stderr, a run JSON in one line on stdout. */
export class RoundOutput {
  /** The current run, once there is one; provides the names of evaluations. */
  run: StoredRun | undefined;
  calls: CallProgress | undefined;
  readonly #view: RunView;
  readonly #usage = new RunUsageSum();
  #regraded: ReadonlySet<number> = new Set();
  /** The rows that have finished. */
  readonly ran: number[] = [];

  readonly #redact: (text: string) => string;

  constructor(
    { settings }: RunCommandOptions,
    redact: (text: string) => string,
    more: Pick<RunViewOptions, 'title' | 'hint'>,
  ) {
    this.#redact = redact;
    this.#view = createRunView({
      stream: process.stderr,
      columns: streamWidth(process.stderr),
      isTerminal: process.stderr.isTTY === true,
      colours: coloursFor('stderr'),
      verbose: settings.effective('verbose').value,
      env: process.env,
      nameOf: (index) => this.run?.rows[index]?.function ?? '',
      calls: () => this.calls,
      cwd: process.cwd(),
      redact,
      withHeading: false,
      ...more,
    });
  }

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === 'opened') this.#regraded = new Set(event.regraded);
    if (event.type === 'finished') {
      for (const { index, usage } of event.results) {
        this.ran.push(index);
        const isRegraded = this.#regraded.has(index);
        this.#usage.add({ usage, ...(isRegraded && { origin: { kind: 'regraded' } }) });
      }
    }
    this.#view.onEvent(event);
  };

  readonly note = (text: string): void => this.#view.note(text);

  readonly say = (text: string): void => this.#view.say(text);

  printTitle(): void {
    this.#view.printTitle();
  }

  end(): void {
    this.#view.end();
  }

  /** Prints what a round has changed, and the results that did not pass. */
  async report({ run, which, outcome, changes, took, gone }: EndedRound): Promise<void> {
    this.end();
    this.printTitle();
    const indices = this.ran.sort((a, b) => a - b);
    const { shownStandingOf } = await import('../../report/report-rows.js');
    const standings = indices.flatMap((index) => {
      const row = run.rows[index];
      return row === undefined ? [] : [{ index, standing: shownStandingOf(row) }];
    });
    const of = (wanted: string) => standings.filter(({ standing }) => standing === wanted);
    const regraded = indices.filter((index) => this.#regraded.has(index)).length;
    const bad = [...of('failed'), ...of('error')].map(({ index }) => index).sort((a, b) => a - b);
    const colours = coloursFor('stderr');
    const usage = this.#usage.usage();
    const counts = [
      ...some(of('passed').length, (n) => colours.green(`${n} ✓`)),
      ...some(of('failed').length, (n) => colours.red(`${n} ✗`)),
      ...some(of('error').length, (n) => colours.red(`${n} !`)),
    ];
    const verdicts = [
      ...some(changes.fixed, (n) => `${n} fixed`),
      ...some(changes.regressed, (n) => `${n} regressed`),
    ];
    const parts = [
      ...(outcome === 'stopped' ? ['stopped'] : []),
      ...(indices.length === 0 && outcome === 'finished' ? [nothing[which]] : []),
      ...some(indices.length - regraded, (n) => `${n} ran`),
      ...some(regraded, (n) => `${n} regraded`),
      ...(counts.length > 0 ? [counts.join(' ')] : []),
      ...(verdicts.length > 0 ? [verdicts.join(', ')] : []),
      ...some(gone, (n) => `${n} gone`),
      renderElapsed(took),
      ...(hasCalls(usage) ? [besideTaken(usage, renderCost)] : []),
    ];
    printLines([`  ${parts.join(' · ')}`]);
    if (bad.length > 0) process.stderr.write(await this.#renderBad(run, bad));
  }

  async #renderBad(run: StoredRun, indices: readonly number[]): Promise<string> {
    const { renderRows } = await import('../../report/run-report.js');
    return renderRows({
      run,
      indices,
      columns: streamWidth(process.stderr),
      colours: coloursFor('stderr'),
      cwd: process.cwd(),
      withErrors: this.#view.isLive,
      redact: this.#redact,
    });
  }
}

/** The line that says what a round is for: `─ prompts/refund.md ────`. */
export function titleOf(changed: readonly string[]): string {
  // A folder changes with each file that comes or goes.
  const folders = new Set(changed.map((name) => posix.dirname(name)));
  const names = changed.filter((name) => !folders.has(name));
  const shown = names.slice(0, mostNames).join(', ');
  const more = names.length - mostNames;
  const text = more > 0 ? `${shown} and ${renderCount(more)} more` : shown;
  const width = Math.min(widestRule, streamWidth(process.stderr));
  const start = `─ ${fitWidth(escapeTerminal(text), width - 4)} `;
  const rule = start + '─'.repeat(Math.max(1, width - widthOf(start)));
  return coloursFor('stderr').dim(rule);
}

/** Prints a line that says what is waited for. */
export function printWaiting(files: number, keys: readonly string[]): void {
  const columns = streamWidth(process.stderr);
  const text = waitingText(`watching ${countOf(files, 'file')}`, keys, columns - 2);
  printLines([coloursFor('stderr').dim(`  ${text}`)]);
}

/** One line with as many of the keys as there is room for, the last one among them. */
export function waitingText(what: string, keys: readonly string[], room: number): string {
  const text = [what, ...keys].join(' · ');
  if (widthOf(text) <= room || keys.length < 2) return text;
  return waitingText(what, [...keys.slice(0, -2), ...keys.slice(-1)], room);
}

/** Prints a line as it is, indented. */
export function printLine(text: string): void {
  printLines([`  ${escapeTerminal(text)}`]);
}

/** Prints an error; the watching goes on. */
export function printError(error: unknown): void {
  const known = readKnownError(error);
  const { message, hints } = known ?? { message: stackOf(error), hints: [] };
  const [first = '', ...more] = escapeLines(withoutSecrets(message));
  const rest = [...more, ...hints.flatMap((hint) => escapeLines(withoutSecrets(hint)))];
  printLines([
    coloursFor('stderr').red(`✗ ${first}`),
    ...rest.map((line) => `  ${line}`.trimEnd()),
  ]);
}

/** Writes a run, or those of its results that ran, as one line of JSON. */
export async function writeJson(
  run: StoredRun,
  indices: readonly number[] | undefined,
): Promise<void> {
  const { jsonExporter } = await import('../../../exporters/json.js');
  await writeDocument(inOneLine(jsonExporter.render(run.snapshot(), { indices })), true);
}

// JSON has line breaks between values only.
async function* inOneLine(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const piece of pieces) yield piece.replaceAll('\n', '');
  yield '\n';
}

/** Prints lines as they are. */
export function printLines(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

function some(count: number, render: (count: string) => string): string[] {
  return count === 0 ? [] : [render(renderCount(count))];
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
