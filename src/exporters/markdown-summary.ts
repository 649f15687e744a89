import { codeVersionsText } from '../model/code-versions.js';
import type { ReadableRun } from '../model/readable-run.js';
import type { RunHead } from '../model/run.js';
import { passedShare, type ScoreChip } from '../model/score.js';
import { limitText } from '../model/score-rule.js';
import type { ExportOptions } from './exporter.js';
import { renderBar, renderNumber, renderPercent, renderSeconds } from './figures.js';
import { tableLine } from './markdown-cells.js';
import { escapeMarkdown } from './markdown-text.js';

/** The upper part of a report: title, session, counts and one bar for each score. */
export function renderSummary(
  run: ReadableRun,
  options: ExportOptions,
  indices: readonly number[] | undefined,
): string {
  const chips = options.stats?.chips ?? run.scoreChips;
  const title = `# ${escapeMarkdown(options.runName ?? run.head.run_name)}\n\n`;
  return title + facts(run.head, options, indices) + (chips.length > 0 ? chart(chips) : '');
}

function facts(
  head: RunHead,
  { sessionName, stats }: ExportOptions,
  indices: readonly number[] | undefined,
): string {
  const total = stats?.total ?? head.total_evaluations;
  const selected = stats?.filtered ?? indices?.length ?? total;
  const lines = [
    `Session: ${escapeMarkdown(sessionName ?? head.session_name)}`,
    `Run: ${escapeMarkdown(head.run_id)}${started(head)}`,
    `Evaluations: ${renderNumber(total)}`,
    `Passed: ${renderNumber(head.total_passed)}`,
    `Errors: ${renderNumber(head.total_errors)}`,
  ];
  if (head.total_pruned !== undefined) lines.push(`Pruned: ${renderNumber(head.total_pruned)}`);
  if (head.code_versions !== undefined) lines.push(sentence(codeVersionsText(head.code_versions)));
  if (head.state !== 'finished') lines.push(`State: ${escapeMarkdown(head.state)}`);
  if (selected !== total) {
    lines.push(`Selected: ${renderNumber(selected)} of ${renderNumber(total)}`);
  }
  lines.push(`Average latency: ${renderSeconds(stats?.avgLatency ?? head.average_latency)}`);
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

function chart(chips: readonly ScoreChip[]): string {
  const head =
    tableLine(['score', 'bar', 'share', 'result']) + tableLine(['---', '---', '--:', '---']);
  return `${head}${chips.map((chip) => tableLine(chipCells(chip))).join('')}\n`;
}

function chipCells(chip: ScoreChip): string[] {
  const key = escapeMarkdown(chip.key);
  if (chip.type === 'ratio') {
    const detail = `${renderNumber(chip.passed)} of ${renderNumber(chip.total)} passed`;
    return [key, ...shareCells(chip.total === 0 ? 0 : chip.passed / chip.total), detail];
  }
  const detail = `mean ${renderNumber(chip.avg)} of ${renderNumber(chip.count)}${verdicts(chip)}`;
  return [key, ...(chip.avg >= 0 && chip.avg <= 1 ? shareCells(chip.avg) : ['', '']), detail];
}

/** `; 2 of 3 passed (≥ 0.8)` behind the mean of values that have a threshold. */
function verdicts(chip: ScoreChip & { readonly type: 'avg' }): string {
  const share = passedShare(chip);
  if (share === undefined) return '';
  const { threshold, better } = chip;
  const limit =
    threshold === undefined ? '' : ` (${limitText({ threshold, better }, renderNumber)})`;
  return `; ${renderNumber(share.passed)} of ${renderNumber(share.total)} passed${limit}`;
}

function shareCells(share: number): string[] {
  return [renderBar(share), renderPercent(share)];
}
