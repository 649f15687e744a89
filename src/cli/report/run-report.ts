import { hasCalls, type RunUsage } from '../../model/calls/run-usage.js';
import type { CountedAttempt, RowFacts } from '../../model/result.js';
import type { IntervalChip, Score } from '../../model/scores/score.js';
import { worstFirst } from '../../model/scores/worst-first.js';
import { verifiedNotes, type WronglyCarried } from '../../model/summary/verified.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { figureText } from '../../text/number-text.js';
import { scoreName } from '../../text/score-name.js';
import { renderUsage } from '../../text/usage-text.js';
import { differenceLines } from '../terminal/difference-lines.js';
import { layOutTable } from '../terminal/table.js';
import {
  escapeLines,
  escapeTerminal,
  fitWidth,
  padEnd,
  widthOf,
  wrapLine,
  wrapParts,
} from '../terminal/terminal-text.js';
import { errorHeading, renderEvaluationError } from './evaluation-error.js';
import { hasFailed, mostShown, type RunReportOptions, showCommand } from './report-options.js';
import { reasonsOf, renderReasonLines } from './report-reasons.js';
import { renderResults } from './report-results.js';
import { namesIn, shownStandingOf } from './report-rows.js';
import {
  countStandings,
  mostScores,
  renderChipCounts,
  renderChips,
  renderNextSteps,
  renderPasses,
  renderScaleHint,
  renderTotals,
  renderVersions,
} from './report-summary.js';
import { renderTrialStatistics, renderTrials } from './report-trials.js';

export type { ReportedRun, RunReportOptions } from './report-options.js';

/**
 * Renders the report of a run: a table of results (or of trials), errors, a bar for each score, counts, where the
 * run was saved and next commands. Reads the values of the shown rows only. Ends with a newline. Error:
 * `unreadable-run` when the run was changed on disk meanwhile.
 */
export function renderRunReport(options: RunReportOptions): string {
  const { run, columns, colours } = options;
  const { trial_fields } = run.summary();
  const indices = options.indices ?? [...run.rows.keys()];
  const counts = countStandings(run);
  const chips = chipsOf(run);
  const summary = [
    ...(run.head().summary.counts_only === true
      ? renderChipCounts(chips, columns)
      : [
          ...renderChips(chips, { columns, colours, corrected: run.corrected?.() }),
          ...renderScaleHint(chips, options),
        ]),
    ...renderTotals(counts, options),
    ...renderPasses(options),
    ...renderVerified(options),
    ...renderRunUsage(options),
    ...renderVersions(options),
    ...renderNextSteps(counts, options),
  ];
  const trials =
    trial_fields === undefined
      ? []
      : renderTrialStatistics(
          trial_fields,
          run.rows.filter((row) => row.pruned !== true),
          columns,
        );
  const errors = options.withErrors === true ? renderErrors(indices, options) : [];
  const reasons = renderReasons(indices, options);
  return inParts([tableOf(indices, options), reasons, errors, trials, summary]);
}

/** Renders results alone: their table, why they failed, and their errors. */
export function renderRows(
  options: RunReportOptions & { readonly indices: readonly number[] },
): string {
  const { indices, withErrors = false } = options;
  return inParts([
    tableOf(indices, options),
    renderReasons(indices, options),
    withErrors ? renderErrors(indices, options) : [],
  ]);
}

function inParts(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

/** Renders a dummy table, because most of a report's time is spent on code that runs for the first time. */
export function warmUp(): void {
  layOutTable([[{ text: 'column' }, { text: 'column' }]], ' ');
}

/** One bar per score, the worst first where they are many, and one for the pass rate unless it is the same number. */
function chipsOf(run: RunReportOptions['run']): readonly IntervalChip[] {
  const { pass_rate, scores } = run.head().summary;
  const shown = scores.length > mostScores ? worstFirst(scores) : scores;
  const chips = shown.map((chip) => ({ ...chip, key: scoreName(chip.key) }));
  const [only, ...others] = chips;
  if (pass_rate === null) return chips;
  const { passed, of: total } = pass_rate;
  const isRatio = others.length === 0 && only?.type === 'ratio';
  if (isRatio && only.passed === passed && only.total === total) return chips;
  return [{ key: 'pass rate', type: 'ratio', passed, total, interval: pass_rate }, ...chips];
}

function tableOf(indices: readonly number[], options: RunReportOptions): string[] {
  const { run } = options;
  const hasTrials = indices.some((index) => run.rows[index]?.trial_of !== undefined);
  return hasTrials ? renderTrials(indices, options) : renderResults(indices, options);
}

const mostTexts = 5;

/** Renders the first errors in full; identical errors are shown once. */
function renderErrors(indices: readonly number[], options: RunReportOptions): string[] {
  const { run } = options;
  const all = indices.filter((index) => run.rows[index]?.status === 'error');
  const byText = new Map<string, string[]>();
  const nameOf = namesIn(run.rows);
  for (const index of all.slice(0, mostShown)) {
    const entry = run.entry(index);
    const text = entry.result.error ?? '';
    byText.set(text, [...(byText.get(text) ?? []), nameOf(entry)]);
  }
  const shown = [...byText].slice(0, mostTexts);
  const lines = shown.flatMap(([text, [first = '', ...others]], at) => {
    const also = others.length === 0 ? '' : ` and ${renderCount(others.length)} more like it`;
    const one = renderEvaluationError(`${first}${also}`, text, options);
    return at === 0 ? one : ['', ...one];
  });
  const left = all.length - shown.reduce((sum, [, names]) => sum + names.length, 0);
  return left === 0 ? lines : [...lines, '', `  … ${countOf(left, 'more error')}`];
}

/** Maximum failed results to read, and reasons to show on a terminal. */
const mostRead = 20;
const mostReasons = 5;
/** Maximum length of one reason on a terminal, and in a log, where it does not scroll away. */
const onTerminal = { lines: 30, characters: 4000 };
const inLog = { lines: Number.POSITIVE_INFINITY, characters: 20_000 };

interface Reason {
  readonly row: RowFacts;
  /** Name of the first result that failed for this reason. */
  readonly name: string;
  readonly text: string;
  /** Location of the failed assertion. */
  readonly location: string | undefined;
  count: number;
}

/** With more failures, those of one reason share a line. */
const mostInFull = 5;

/** Renders why results failed: of a few, the notes of failed scores, each once; of many, a line for each reason. */
function renderReasons(indices: readonly number[], options: RunReportOptions): string[] {
  const { run, columns } = options;
  const bad = indices.filter((index) => {
    const row = run.rows[index];
    return row !== undefined && hasFailed(row);
  });
  if (bad.length > mostInFull) {
    const { list, left } = reasonsOf(run, bad);
    // Counts of scores, and single errors, stand elsewhere.
    const told = list.filter(
      ({ key, text, results }) => text !== '' && (key !== null || results > 1),
    );
    return renderReasonLines({ list: told, left }, options);
  }
  const failed = indices.filter((index) => {
    const row = run.rows[index];
    return row !== undefined && shownStandingOf(row) === 'failed';
  });
  const nameOf = namesIn(run.rows);
  const reasons = new Map<string, Reason>();
  for (const index of failed.slice(0, mostRead)) {
    const row = run.rows[index];
    if (row === undefined) continue;
    const entry = run.entry(index);
    const name = nameOf(entry);
    for (const { key, passed, notes, location } of entry.result.scores) {
      if (passed !== false || notes === undefined) continue;
      const text = `${key}: ${notes}`;
      const known = reasons.get(text);
      if (known === undefined) reasons.set(text, { row, name, text, location, count: 1 });
      else known.count += 1;
    }
  }
  const all = [...reasons.values()];
  const shown = columns === Number.POSITIVE_INFINITY ? all : all.slice(0, mostReasons);
  const left = all.length - shown.length;
  return [
    ...shown.flatMap((reason) => reasonLines(reason, options)),
    ...(left === 0 ? [] : [`  … ${countOf(left, 'more reason')}`]),
  ];
}

function reasonLines(
  { row, name, text, location, count }: Reason,
  options: RunReportOptions,
): string[] {
  const { columns, colours } = options;
  const most = columns === Number.POSITIVE_INFINITY ? inLog : onTerminal;
  const others = count === 1 ? '' : ` and ${count - 1} more`;
  const [who = ''] = escapeLines(name);
  const shown = text.trim().slice(0, most.characters);
  const [first = '', ...rest] = escapeLines(shown);
  const withText = rest.filter((line) => line.trim() !== '');
  const lines = withText.slice(0, most.lines);
  const isCut = shown.length < text.trim().length || lines.length < withText.length;
  const mark = `  ${colours.red('✗')} `;
  const room = columns - 4;
  const wrap = (line: string) => wrapLine(line, room).map((part) => `    ${colours.dim(part)}`);
  const isShort = widthOf(`${who}${others}   ${first}`) <= room;
  return [
    ...(isShort
      ? [`${mark}${who}${others}   ${first}`]
      : [
          `${mark}${fitWidth(who, room - others.length, 'middle')}${others}`,
          ...wrapLine(first, room).map((part) => `    ${part}`),
        ]),
    ...lines.flatMap(wrap),
    ...(location === undefined ? [] : wrap(`at ${escapeTerminal(location)}`)),
    ...(isCut ? [`    ${colours.dim(`… all of it: ${showCommand(row, options)}`)}`] : []),
  ];
}

/** Lines with the usage of the calls of a run; none without calls. */
function renderRunUsage({ run, columns }: RunReportOptions): string[] {
  const { usage } = run.summary();
  return usage === undefined ? [] : wrapParts(usageParts(usage), columns, '  ');
}

function usageParts(usage: RunUsage): string[] {
  const { other_calls = 0 } = usage;
  return [
    ...(hasCalls(usage) ? escapeTerminal(renderUsage(usage)).split(' · ') : []),
    ...(other_calls > 0 ? [countOf(other_calls, 'other HTTP call')] : []),
  ];
}

type Attempt = Pick<CountedAttempt, 'status' | 'output' | 'scores' | 'error'>;

/** What differs of a result: `output`, `error` or the key of a score, and both texts. */
interface Differing {
  readonly name: string;
  readonly before: string;
  readonly now: string;
}

const mostDiffering = 3;
const widestName = 20;

/** Renders what came of carried results that ran again, and both sides of what differs. */
function renderVerified(options: RunReportOptions): string[] {
  const { run, columns, colours } = options;
  const { verified } = run.summary();
  if (verified === undefined) return [];
  const { differ = 0, rates = [] } = verified;
  const paint = differ + rates.length === 0 ? String : colours.red;
  return verifiedNotes(verified).flatMap(({ text, result }) => [
    ...wrapLine(escapeTerminal(text), columns - 2).map((line) => `  ${paint(line)}`),
    ...(result === undefined ? [] : renderDiffering(result, options)),
  ]);
}

function renderDiffering(wrong: WronglyCarried, options: RunReportOptions): string[] {
  const { run, columns, colours } = options;
  const { counted, result } = run.entry(run.rows.findIndex(({ id }) => id === wrong.id));
  if (counted === undefined) return [];
  const [shown, more] = differingOf(wrong, counted, result);
  const names = shown.map(({ name }) => fitWidth(escapeTerminal(name), widestName, 'middle'));
  const width = Math.max(0, ...names.map(widthOf));
  const lines = shown.flatMap((differing, at) => {
    const room = columns - width - 7;
    return differenceLines(differing, colours, room, 2 * columns).map(
      (line, lineAt) => `    ${padEnd(lineAt === 0 ? (names[at] ?? '') : '', width)}   ${line}`,
    );
  });
  return more === 0 ? lines : [...lines, `    … ${countOf(more, 'more score')}`];
}

function differingOf(
  { scores = [], carried, now }: WronglyCarried,
  before: Attempt,
  after: Attempt,
): [shown: readonly Differing[], more: number] {
  const outcomes = { before: outcomeText(before), now: outcomeText(after) };
  const isError = [before, after].some(({ status }) => status === 'error');
  const name = isError ? 'outcome' : 'output';
  // An error has no scores.
  const ofScores = (isError ? [] : scores).flatMap(({ key }): Differing[] => {
    const [was, is] = [before, after].map((attempt) => attempt.scores.find((s) => s.key === key));
    // The line above has values alone.
    if (carried === now && was?.notes === undefined && is?.notes === undefined) return [];
    return [{ name: key, before: scoreText(was), now: scoreText(is) }];
  });
  const shown = ofScores.slice(0, mostDiffering);
  return [
    [...(outcomes.before === outcomes.now ? [] : [{ name, ...outcomes }]), ...shown],
    ofScores.length - shown.length,
  ];
}

function outcomeText({ status, output, error }: Attempt): string {
  return status === 'error' ? `error: ${errorHeading(error ?? '')}` : JSON.stringify(output);
}

/** `fail: expected 30 days`, `0.42 fail` */
function scoreText(score: Score | undefined): string {
  if (score === undefined) return 'none';
  const { value, passed, notes } = score;
  const texts = [
    ...(value === undefined ? [] : [figureText(value)]),
    ...(passed === undefined ? [] : [passed ? 'pass' : 'fail']),
  ];
  return [texts.join(' '), ...(notes === undefined ? [] : [notes])].join(': ');
}
