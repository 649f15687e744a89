import { withSecondFigures } from '../../exporters/second-figures.js';
import type { CorrectedScore } from '../../model/calibration/calibration.js';
import type { IntervalChip } from '../../model/scores/score.js';
import { shardText } from '../../model/shard.js';
import { codeVersionsText } from '../../model/summary/code-versions.js';
import {
  renderBar,
  renderInterval,
  renderMeanBar,
  renderPercent,
} from '../../model/summary/figure-text.js';
import { executedOrigins, originParts, originsOf } from '../../model/summary/origins.js';
import { correctedTexts } from '../../text/calibration-text.js';
import { countOf, inClustersText, renderCount } from '../../text/count-text.js';
import { renderElapsed, renderLatency } from '../../text/duration-text.js';
import { mixedTexts } from '../../text/mixed-text.js';
import { figureText, meanOfText } from '../../text/number-text.js';
import { gradingNoiseText, passesText, repeatsNote } from '../../text/repeats-text.js';
import { scaleHint } from '../../text/scale-hint.js';
import { scoreName } from '../../text/score-name.js';
import { noIntervalText } from '../../text/share-text.js';
import { escapeTerminal, fitWidth, padEnd, widthOf, wrapParts } from '../terminal/terminal-text.js';
import {
  exportCommand,
  hasFailed,
  type RunReportOptions,
  referenceOf,
  showCommand,
  withFlags,
} from './report-options.js';
import { type ShownStanding, shownStandingOf } from './report-rows.js';

/** With more scores, the report shows the worst ones. */
export const mostScores = 20;
/** The pass rate is one more. */
const mostChips = mostScores + 1;

/**
 * Renders one bar per score key, one for the rate that people would pass if there are labels, and one for the share that passed if its values have a threshold. Unbounded values
 * show p50 and p95 instead of mean and interval.
 */
export function renderChips(
  chips: readonly IntervalChip[],
  {
    columns,
    colours,
    corrected = [],
  }: Pick<RunReportOptions, 'columns' | 'colours'> & {
    readonly corrected?: readonly CorrectedScore[] | undefined;
  },
): string[] {
  const shown = chips
    .slice(0, mostChips)
    .flatMap((chip) => [
      ...withSecondFigures([chip], (_, what) => `  ${what}`).map(chipTexts),
      ...corrected.filter(({ key }) => scoreName(key) === chip.key).map(correctedChipTexts),
    ]);
  const column = (at: keyof ChipTexts) => Math.max(0, ...shown.map((chip) => widthOf(chip[at])));
  const share = column('share');
  const detail = column('detail');
  // Indent, bar, and the gaps around.
  const fixed = 2 + 3 + 20 + 3 + share + 3 + detail;
  const key = Math.max(4, Math.min(column('key'), columns - fixed));
  const withInterval = fixed + key + 3 + column('interval') <= columns;
  const lines = shown.map((chip) => {
    const bar = chip.bar === '' ? chip.note.padEnd(20) : colours.cyan(chip.bar);
    const cells = [padEnd(fitWidth(chip.key, key), key), bar, chip.share.padStart(share)];
    const rest = withInterval ? `${chip.detail.padEnd(detail)}   ${chip.interval}` : chip.detail;
    return `  ${cells.join('   ')}   ${rest}`.trimEnd();
  });
  const more = chips.length - mostChips;
  return more > 0 ? [...lines, `  … ${countOf(more, 'more score')}`] : lines;
}

/** Renders the counts of scores of results that were chosen by what came of them. */
export function renderChipCounts(chips: readonly IntervalChip[], columns: number): string[] {
  const parts = chips.slice(0, mostChips).map((chip) => {
    const key = escapeTerminal(chip.key);
    if (chip.type === 'avg') return `${key} ${countOf(chip.count, 'value')}`;
    return `${key} ${renderCount(chip.passed)} of ${renderCount(chip.total)}`;
  });
  const more = chips.length - mostChips;
  return wrapParts(
    [...parts, ...(more > 0 ? [`… ${countOf(more, 'more score')}`] : [])],
    columns,
    '  ',
  );
}

interface ChipTexts {
  readonly key: string;
  readonly bar: string;
  /** The text instead of a bar. */
  readonly note: string;
  readonly share: string;
  readonly detail: string;
  readonly interval: string;
}

function chipTexts(chip: IntervalChip): ChipTexts {
  const key = escapeTerminal(chip.key);
  if (chip.type === 'avg' && chip.percentiles !== undefined) {
    const { p50, p95 } = chip.percentiles;
    const detail = `p50 of ${renderCount(chip.count)}`;
    const interval = `p95 ${figureText(p95 ?? 0)}`;
    const note = noIntervalText(chip);
    return { key, bar: '', note, share: figureText(p50 ?? 0), detail, interval };
  }
  if (chip.type === 'avg') {
    const detail = meanOfText(chip);
    const bar = renderMeanBar(chip);
    const share = figureText(chip.avg);
    return { key, bar, note: '', share, detail, interval: intervalText(chip) };
  }
  const { passed, total } = chip;
  const share = passed / total;
  return {
    key,
    bar: renderBar(share),
    note: '',
    share: renderPercent(share),
    detail: `${renderCount(passed)} of ${renderCount(total)}${derivedText(chip)}`,
    interval: intervalText(chip),
  };
}

/** The line below a score that has labels: what people would pass of it. */
function correctedChipTexts(score: CorrectedScore): ChipTexts {
  const { value, interval, of } = correctedTexts(score);
  const rate = score.corrected?.estimate;
  return {
    key: '  corrected',
    bar: rate === undefined ? '' : renderBar(rate),
    note: '',
    share: value,
    detail: rate === undefined ? of : `by ${of}`,
    interval: interval === '' ? '' : `95 %: ${interval}`,
  };
}

/** Where an evaluator gives a part of the verdicts, and a threshold the others. */
function derivedText({ derived }: IntervalChip & { readonly type: 'ratio' }): string {
  return derived === undefined ? '' : ` (${renderCount(derived)} by threshold)`;
}

function intervalText(chip: IntervalChip): string {
  const text = renderInterval(chip);
  return chip.interval.low === null ? text : `95 %: ${text}`;
}

/** The number of rows by state. */
export type Standings = { readonly [standing in ShownStanding]: number };

/** Counts the rows of a run by state. */
export function countStandings(run: RunReportOptions['run']): Standings {
  const counts = {
    passed: 0,
    failed: 0,
    error: 0,
    'no verdict': 0,
    cancelled: 0,
    'not finished': 0,
    pruned: 0,
  };
  for (const row of run.rows) counts[shownStandingOf(row)] += 1;
  return counts;
}

/** `1,000 cases · 741 passed · 259 failed · 0 errors · p50 0.1 ms, p95 0.3 ms · 3.0 s`. */
export function renderTotals(counts: Standings, options: RunReportOptions): string[] {
  const { run, colours, columns, elapsed, executed, skipped = 0, waited = [] } = options;
  const flaky = run.summary().trial_fields?.trial_statistics.flaky ?? 0;
  const origins = executed ? executedOrigins(run.rows, executed) : originsOf(run.rows);
  const failed = `${renderCount(counts.failed)} failed`;
  const errors = countOf(counts.error, 'error');
  const passed = `${renderCount(counts.passed)} passed`;
  const parts = [
    `${countOf(run.rows.length, nounOf(run))}${inClustersText(run.summary().clusters)}`,
    ...(origins === undefined ? [] : originParts(origins).map(escapeTerminal)),
    passed,
    failed,
    errors,
    ...some(flaky, 'flaky'),
    ...some(counts['no verdict'], 'no verdict'),
    ...some(counts.cancelled, 'cancelled'),
    ...some(counts['not finished'], 'not finished'),
    ...some(counts.pruned, 'pruned'),
    ...some(skipped, 'skipped'),
    ...latencyText(run),
    ...timeText(elapsed, waited),
  ];
  const isBad = (part: string) =>
    (part === failed && counts.failed > 0) || (part === errors && counts.error > 0);
  return wrapParts(parts, columns, '  ', (part) => {
    if (part === passed) return colours.green(part);
    return isBad(part) ? colours.red(part) : part;
  });
}

/** `41.0 s (waited 6.0 s for gpt-5-mini)`, or `waited …` alone; no wait below 0.05 s. */
function timeText(
  elapsed: number | undefined,
  waited: NonNullable<RunReportOptions['waited']>,
): string[] {
  const waits = waited
    .filter(([, seconds]) => seconds >= 0.05)
    .map(([model, seconds]) => `${renderElapsed(seconds)} for ${escapeTerminal(model)}`);
  const text = waits.length === 0 ? [] : [`waited ${waits.join(', ')}`];
  if (elapsed === undefined) return text;
  return [[renderElapsed(elapsed), ...text.map((one) => `(${one})`)].join(' ')];
}

/** How to get intervals that are missing for want of a scale. */
export function renderScaleHint(
  chips: readonly IntervalChip[],
  { columns, colours }: Pick<RunReportOptions, 'columns' | 'colours'>,
): string[] {
  const hint = scaleHint(chips);
  // Two parts that each fit on a line.
  const parts = hint === undefined ? [] : escapeTerminal(hint).split(/: (?=scores: )/);
  return wrapParts(parts, columns, '  ', (part) => colours.dim(part));
}

/** The repeats of a run, the noise of its judges, and the rates of its passes before, if there are any. */
export function passNotes(
  run: Pick<RunReportOptions['run'], 'summary' | 'head' | 'ratesBefore'>,
): string[] {
  const { mixed, grading_noise: noise = [], ...summary } = run.summary();
  const { run_id, summary: saved } = run.head();
  const passes = passesText(saved.passes, run.ratesBefore);
  const again = repeatsNote(summary);
  return [
    ...(again === undefined ? [] : [again]),
    ...mixedTexts({ mixed, totals: summary.totals }, run_id).map(({ text }) => text),
    ...noise.map(gradingNoiseText),
    ...(passes === undefined ? [] : [passes]),
  ];
}

/** The same as lines. */
export function renderPasses({ run, columns, colours }: RunReportOptions): string[] {
  const parts = passNotes(run).map(escapeTerminal);
  return wrapParts(parts, columns, '  ', (part) => colours.yellow(part));
}

/** `results of 2 code versions: 40 of the newest, 2 older`, if there are several and some may be out of date. */
export function renderVersions({
  run,
  columns,
  colours,
  isUpToDate = false,
}: RunReportOptions): string[] {
  const versions = run.summary().code_versions;
  if (versions === undefined || isUpToDate) return [];
  return [`  ${colours.yellow(fitWidth(codeVersionsText(versions), columns - 2))}`];
}

/** Trials are counted individually here; a run may also have cases without trials. */
function nounOf({ rows }: RunReportOptions['run']): string {
  const trials = rows.reduce((sum, { trial }) => (trial === undefined ? sum : sum + 1), 0);
  if (trials === 0) return 'case';
  return trials === rows.length ? 'trial' : 'result';
}

function some(count: number, what: string): string[] {
  return count === 0 ? [] : [`${renderCount(count)} ${what}`];
}

function latencyText(run: RunReportOptions['run']): string[] {
  const { p50, p95 } = run.head().summary.latency;
  if (p50 === null || p95 === null) return [];
  return [`p50 ${renderLatency(p50)}, p95 ${renderLatency(p95)}`];
}

/** The location of the run, and commands for the next steps. */
export function renderNextSteps(counts: Standings, options: RunReportOptions): string[] {
  if (options.saved === false) return [];
  const { run_id, session_name, shard } = options.run.head();
  const { repeatedFlags, columns, colours } = options;
  const where = [
    `saved as ${run_id} in session ${escapeTerminal(session_name)}`,
    ...(shard === undefined
      ? []
      : [shardText(shard), withFlags('merge: assay sessions merge PART…', repeatedFlags)]),
  ];
  return [
    ...wrapParts(where, columns, '  '),
    ...wrapParts(whatFor(counts), columns, '  '),
    // Not cut, and with nothing behind them, because they are for copying: not every shell knows comments.
    ...nextCommands(run_id, counts, options).map((command) =>
      colours.dim(`  ${escapeTerminal(command)}`),
    ),
  ];
}

/** What the commands after failures are for, in their order. */
function whatFor(counts: Standings): string[] {
  const failures = counts.failed + counts.error;
  if (failures === 0 || isCut(counts)) return [];
  const isOne = failures === 1;
  const first = isOne ? 'the failure' : `the first of ${renderCount(failures)} failures`;
  return [`next: ${first}`, `run ${isOne ? 'it' : 'them'} again`, 'run what changed', 'the page'];
}

function isCut(counts: Standings): boolean {
  return counts.cancelled + counts['not finished'] > 0;
}

/** Commands for what a user may do next: go on, look at what failed, run it again, or export. */
function nextCommands(runId: string, counts: Standings, options: RunReportOptions): string[] {
  const { run, repeatedFlags, executionFlags: flags } = options;
  const command = (text: string, flags?: string) =>
    withFlags(withFlags(`assay ${text}`, flags), repeatedFlags);
  if (isCut(counts)) {
    return [exportCommand(options), command(`run --resume ${runId}`, flags?.resume)];
  }
  const first = run.rows.find(hasFailed);
  if (first === undefined) return [exportCommand(options)];
  const kinds = [...(counts.failed > 0 ? ['failed'] : []), ...(counts.error > 0 ? ['errors'] : [])];
  const reference = referenceOf(options);
  const rerun = (only: string) => command(`run --rerun ${reference} --only ${only}`, flags?.rerun);
  return [
    showCommand(first, options),
    rerun(kinds.join(',')),
    rerun('changed'),
    command(`serve --run ${reference}`),
  ];
}
