import type { ChalkInstance } from 'chalk';
import { renderBar } from '../exporters/figures.js';
import { isFinished, passes } from '../model/result.js';
import type { TrialFields } from '../model/run.js';
import type { Estimate } from '../statistics/bounds.js';
import type { Row } from '../store/run-index.js';
import { countOf, renderCount, renderShare } from './figures.js';
import type { RunReportOptions } from './run-report-options.js';
import { moreLines } from './run-report-results.js';
import { paintOf, type Standing, standingOf } from './run-report-rows.js';
import { selectShown } from './run-report-selection.js';
import { type Cell, columnWidths, layOutTable } from './run-report-table.js';
import { shareWidths } from './run-report-widths.js';
import { escapeTerminal, fitWidth } from './terminal-text.js';

const gap = '   ';

/** All trials of one evaluation, case by case. */
interface Trials {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
}

const marks: { readonly [standing in Standing]: string } = {
  passed: '●',
  failed: '○',
  error: '!',
  'not graded': '–',
  cancelled: '·',
  'not finished': '·',
};

/** One line for each evaluation with a mark for each trial. */
export function renderTrials(indices: readonly number[], options: RunReportOptions): string[] {
  const { columns, colours } = options;
  const selection = selectShown(groupTrials(indices, options), worstOf);
  if (selection.shown.length === 0) return [];
  const nameOf = nameTrials(selection.shown);
  const most = Math.max(20, Math.floor(columns / 3));
  const rows = selection.shown.map((trials) => trialCells(trials, nameOf(trials), most, colours));
  const natural = columnWidths(rows);
  const shared = natural.map((width, at) => ({ natural: width, weight: at === 0 ? 1 : 0 }));
  const widths = shareWidths(shared, columns - 2 - 9);
  const fitted = rows.map((row) =>
    row.map((cell, at) => {
      const width = widths[at] ?? 0;
      const cut = at === 0 && cell.text.includes('::') ? 'start' : 'end';
      return { ...cell, text: fitWidth(cell.text, width, cut) };
    }),
  );
  const lines = layOutTable(fitted, gap).map((line) => `  ${line}`);
  return [...lines, ...moreLines(selection, options)];
}

/** `pass@1 60 %   pass@5 67 %   pass^5 33 %   (3 evaluations × 5 trials)`, with intervals where known. */
export function renderTrialStatistics(
  fields: TrialFields,
  rows: readonly Row[],
  columns: number,
): string[] {
  const { by_k } = fields.trial_statistics;
  const first = by_k[0];
  const last = by_k.at(-1);
  const estimates = [
    ...(first === undefined ? [] : [estimateText('pass@1', first.pass_at)]),
    ...(last === undefined || last.k === 1
      ? []
      : [
          estimateText(`pass@${last.k}`, last.pass_at),
          estimateText(`pass^${last.k}`, last.pass_all),
        ]),
  ];
  const hasIntervals = first !== undefined && first.pass_at.low !== null;
  const count = `(${countText(rows, fields.trials)}${hasIntervals ? ', 95 % intervals' : ''})`;
  return [[[...estimates, count].join(gap)], [estimates.join(gap), count], [...estimates, count]]
    .map((lines) => lines.map((line) => `  ${line}`))
    .reduce((wide, narrow) => (wide.every((line) => line.length <= columns) ? wide : narrow));
}

function estimateText(name: string, { estimate, low, high }: Estimate): string {
  const share = `${name} ${renderShare(estimate)}`;
  if (low === null || high === null) return share;
  return `${share} (${Math.round(low * 100)}–${Math.round(high * 100)})`;
}

function countText(rows: readonly Row[], trials: number): string {
  const evaluations = new Set<string>();
  let count = 0;
  for (const row of rows) {
    if (row.trial_of === undefined) continue;
    evaluations.add(row.trial_of);
    count += 1;
  }
  const text = countOf(evaluations.size, 'evaluation');
  const isEven = count === evaluations.size * trials;
  return isEven ? `${text} × ${countOf(trials, 'trial')}` : `${text}, ${countOf(count, 'trial')}`;
}

function groupTrials(indices: readonly number[], { run }: RunReportOptions): Trials[] {
  const groups = new Map<string, { id: string; name: string; rows: Row[] }>();
  for (const index of indices) {
    const row = run.rows[index];
    if (row === undefined) continue;
    const id = row.trial_of ?? row.id;
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { id, name: row.function, rows: [row] });
    else group.rows.push(row);
  }
  return [...groups.values()];
}

function worstOf({ rows }: Trials): Standing {
  const standings = new Set(rows.map(standingOf));
  const order = ['error', 'failed', 'not finished', 'cancelled', 'not graded'] as const;
  return order.find((standing) => standings.has(standing)) ?? 'passed';
}

function nameTrials(shown: readonly Trials[]): (trials: Trials) => string {
  const counts = new Map<string, number>();
  for (const { name } of shown) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ id, name }) => ((counts.get(name) ?? 0) > 1 ? id : name);
}

function trialCells({ rows }: Trials, name: string, most: number, colours: ChalkInstance): Cell[] {
  const standings = rows.map(standingOf);
  const passed = rows.filter(passes).length;
  const finished = rows.filter(isFinished).length;
  const isGraded = standings.some((one) => one !== 'not graded' && one !== 'not finished');
  const isFlaky = passed > 0 && passed < finished;
  const whole = worstOf({ id: '', name, rows });
  const paint = isFlaky ? colours.yellow : paintOf(whole, colours);
  return [
    { text: escapeTerminal(name) },
    {
      text:
        rows.length <= most
          ? standings.map((one) => marks[one]).join('')
          : renderBar(passed / rows.length),
      paint,
    },
    { text: isGraded ? `${renderCount(passed)}/${renderCount(rows.length)}` : 'not graded' },
    { text: isFlaky ? 'flaky' : '', paint: colours.yellow },
  ];
}
