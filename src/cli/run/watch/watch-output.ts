import { posix } from 'node:path';
import { hasCalls, RunUsageSum } from '../../../model/calls/run-usage.js';
import type { RunEvent } from '../../../runner/events.js';
import type { ExecutionOutcome } from '../../../runner/execution/execution.js';
import type { StoredRun } from '../../../store/stored-run.js';
import { countOf, renderCount } from '../../../text/count-text.js';
import { renderElapsed } from '../../../text/duration-text.js';
import { besideTaken, renderCost } from '../../../text/usage-text.js';
import { asTyped } from '../../as-typed.js';
import { readKnownError } from '../../known-error.js';
import { writeDocument } from '../../output.js';
import { coloursFor } from '../../terminal/colour.js';
import { withoutSecrets } from '../../terminal/screen-text.js';
import { streamWidth } from '../../terminal/stream-width.js';
import { escapeLines, escapeTerminal, fitWidth, widthOf } from '../../terminal/terminal-text.js';
import { ProgressOutput } from '../run-output.js';
import type { VerdictChanges } from './begin-round.js';
import type { Which } from './wishes.js';

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
export class RoundOutput extends ProgressOutput {
  readonly #usage = new RunUsageSum();

  override onEvent(event: RunEvent): void {
    super.onEvent(event);
    if (event.type !== 'finished') return;
    for (const { index, usage } of event.results) {
      const isRegraded = this.regraded.has(index);
      this.#usage.add({ usage, ...(isRegraded && { origin: { kind: 'regraded' } }) });
    }
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
    const regraded = indices.filter((index) => this.regraded.has(index)).length;
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
    if (bad.length === 0) return;
    const { renderRows } = await import('../../report/run-report.js');
    process.stderr.write(renderRows({ ...this.page, run, indices: bad }));
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
  const [[first = '', ...more] = [], ...rest] = [message, ...hints].map((text) =>
    escapeLines(withoutSecrets(asTyped(text))),
  );
  printLines([
    coloursFor('stderr').red(`✗ ${first}`),
    ...[...more, ...rest.flat()].map((line) => `  ${line}`.trimEnd()),
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

export function printLines(lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}

function some(count: number, render: (count: string) => string): string[] {
  return count === 0 ? [] : [render(renderCount(count))];
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
