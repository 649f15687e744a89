import { besideParts, hasCalls } from '../model/calls/run-usage.js';
import type { ReadableRun } from '../model/readable-run.js';
import type { RowFacts } from '../model/result.js';
import type { RunHead } from '../model/run.js';
import { type IntervalChip, type ScoreChip, withoutIntervals } from '../model/scores/score.js';
import { shardText } from '../model/shard.js';
import { codeVersionsText } from '../model/summary/code-versions.js';
import { countsOfSummary, newestOnly } from '../model/summary/counts-only.js';
import {
  renderBar,
  renderInterval,
  renderMeanBar,
  renderPercent,
  renderPercentiles,
} from '../model/summary/figure-text.js';
import { intervalChips } from '../model/summary/run-figures.js';
import { scoreScales } from '../model/summary/score-values.js';
import { besideRows, type Summary, summarise } from '../model/summary/summary.js';
import { verifiedNotes } from '../model/summary/verified.js';
import { countOf } from '../text/count-text.js';
import { renderLatency } from '../text/duration-text.js';
import { mixedTexts } from '../text/mixed-text.js';
import { figureText, meanOfText, renderNumber } from '../text/number-text.js';
import { repeatsNote } from '../text/repeats-text.js';
import { scoreName } from '../text/score-name.js';
import { boundsText } from '../text/share-text.js';
import { renderUsage } from '../text/usage-text.js';
import type { ExportOptions } from './exporter.js';
import { tableLine } from './markdown-cells.js';
import { escapeMarkdown } from './markdown-text.js';
import { withSecondFigures } from './second-figures.js';

/** The upper part of a report: title, session, counts and one bar for each score, all over the same results. */
export function renderSummary(
  run: ReadableRun,
  options: ExportOptions,
  indices: readonly number[] | undefined,
): string {
  const part = countedPart(run, options, indices);
  const rows = part ?? run.rows;
  const scales = scoreScales(run.rows);
  const countsOnly = options.countsOnly === true && part !== undefined;
  const summed = countsOnly ? newestOnly(rows) : rows;
  const { unlisted, hasOldRepeats } = besideRows(run.head);
  const beside = { hasOldRepeats, unlisted: besideParts(run.rows, unlisted)(rows) };
  const all = summarise(summed, scales, beside);
  const summary = countsOnly ? countsOfSummary(all) : all;
  const figures = intervalChips(summed, scales);
  const own: readonly (ScoreChip | IntervalChip)[] = countsOnly
    ? figures.map(withoutIntervals)
    : figures;
  const chips = options.stats?.chips.map((sent) => own.find((chip) => isSame(chip, sent)) ?? sent);
  const title = `# ${escapeMarkdown(options.runName ?? run.head.run_name)}\n\n`;
  const selected = indices?.length;
  const head = facts(run.head, { ...options, selected, rows }, summary);
  return title + head + chart(chips ?? own, countsOnly && options.bars !== true);
}

/** The results that are counted, those of the table; `undefined` for all, as when the sent figures are of the whole run. */
function countedPart(
  run: ReadableRun,
  { stats }: ExportOptions,
  indices: readonly number[] | undefined,
): readonly RowFacts[] | undefined {
  if (indices === undefined || (stats !== undefined && stats.filtered === stats.total)) {
    return undefined;
  }
  return indices.flatMap((index) => run.rows[index] ?? []);
}

function isSame(a: ScoreChip, b: ScoreChip): boolean {
  if (a.key !== b.key) return false;
  if (a.type === 'ratio') return b.type === 'ratio' && a.passed === b.passed && a.total === b.total;
  return b.type === 'avg' && a.count === b.count && renderNumber(a.avg) === renderNumber(b.avg);
}

function facts(
  head: RunHead,
  {
    sessionName,
    stats,
    selected,
    rows,
  }: ExportOptions & {
    readonly selected: number | undefined;
    readonly rows: readonly RowFacts[];
  },
  { totals, pass_rate, code_versions, usage, clusters, repeats, verified, mixed }: Summary,
): string {
  const total = stats?.total ?? head.total_evaluations;
  const shown = stats?.filtered ?? selected ?? total;
  const lines = [
    `Session: ${escapeMarkdown(sessionName ?? head.session_name)}`,
    `Run: ${escapeMarkdown(head.run_id)}${started(head)}`,
    ...(head.shard === undefined ? [] : [sentence(shardText(head.shard))]),
    `Results: ${renderNumber(total)}`,
    ...(shown === total ? [] : [`Selected: ${renderNumber(shown)} of ${renderNumber(total)}`]),
    `Passed: ${renderNumber(totals.total_passed)}`,
    `Errors: ${renderNumber(totals.total_errors)}`,
  ];
  if (pass_rate !== null) {
    const rate = renderPercent(pass_rate.estimate);
    const over = clusters === undefined ? '' : `, over ${countOf(clusters, 'cluster')}`;
    const of = `${renderNumber(pass_rate.passed)} of ${renderNumber(pass_rate.total)}`;
    lines.push(`Pass rate: ${rate}, ${of} (95 %: ${boundsText(pass_rate)}${over})`);
  }
  const again = repeatsNote({ repeats, totals, verified });
  if (again !== undefined) lines.push(again);
  if (verified !== undefined)
    lines.push(...verifiedNotes(verified).map(({ text }) => sentence(escapeMarkdown(text))));
  for (const { text } of mixedTexts({ mixed, totals }, head.run_id)) lines.push(sentence(text));
  if (totals.total_pruned !== undefined) lines.push(`Pruned: ${renderNumber(totals.total_pruned)}`);
  if (code_versions !== undefined) lines.push(sentence(codeVersionsText(code_versions, rows)));
  if (head.state !== 'finished') lines.push(`State: ${escapeMarkdown(head.state)}`);
  const latency = stats?.avgLatency ?? totals.average_latency;
  // No result has one, or all are those of recordings.
  lines.push(`Average latency: ${latency === 0 ? 'none' : renderLatency(latency)}`);
  if (hasCalls(usage)) lines.push(`Usage: ${escapeMarkdown(renderUsage(usage))}`);
  return `${lines.map((line) => `- ${line}\n`).join('')}\n`;
}

function sentence(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

function started(head: RunHead): string {
  const date = new Date(head.created_at * 1000);
  if (head.state === 'not_started' || Number.isNaN(date.getTime())) return '';
  return `, started ${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** One bar per score, or its counts alone. Sent figures of other results than those counted here have no interval. */
function chart(chips: readonly (ScoreChip | IntervalChip)[], countsOnly: boolean): string {
  if (chips.length === 0) return '';
  const lines = chips.flatMap((chip) =>
    'interval' in chip
      ? withSecondFigures([chip], (key, what) => `${key} ${what}`).map((one) =>
          chipCells(one, renderInterval(one)),
        )
      : [
          countsOnly && chip.type === 'ratio'
            ? [escapeMarkdown(scoreName(chip.key)), '', '', '', passedText(chip)]
            : chipCells(chip, ''),
        ],
  );
  const head = [
    ['score', 'bar', 'figure', '95 %', 'result'],
    ['---', '---', '--:', '---', '---'],
  ];
  return `${[...head, ...lines].map(tableLine).join('')}\n`;
}

function chipCells(chip: ScoreChip | IntervalChip, interval: string): string[] {
  const key = escapeMarkdown(scoreName(chip.key));
  if (chip.type === 'ratio') {
    const share = shareCells(chip.total === 0 ? 0 : chip.passed / chip.total);
    return [key, ...share, interval, passedText(chip)];
  }
  const { avg, count } = chip;
  if (chip.percentiles !== undefined) {
    const text = `${renderPercentiles(chip.percentiles)} of ${renderNumber(count)}`;
    return [key, '', '', interval, text];
  }
  return [key, renderMeanBar(chip), figureText(avg), interval, meanOfText(chip)];
}

function passedText({ passed, total }: { readonly passed: number; readonly total: number }) {
  return `${renderNumber(passed)} of ${renderNumber(total)} passed`;
}

function shareCells(share: number): string[] {
  return [renderBar(share), renderPercent(share)];
}
