import type { ChalkInstance } from 'chalk';
import { caseIdOf, isFinished, passes, type RowFacts } from '../../model/result.js';
import type { TrialFields, TrialStatistics } from '../../model/run.js';
import { renderBar, renderPercent } from '../../model/summary/figure-text.js';
import { scoreChips } from '../../model/summary/summary.js';
import type { Estimate } from '../../statistics/bounds.js';
import { countOf, renderCount } from '../../text/count-text.js';
import { renderNumber } from '../../text/number-text.js';
import { boundsText } from '../../text/share-text.js';
import { type Cell, columnWidths, layOutTable, shareWidths } from '../terminal/table.js';
import { escapeTerminal, fitNames, fitWidth, widthOf } from '../terminal/terminal-text.js';
import { hasFailed, type RunReportOptions } from './report-options.js';
import { moreLines } from './report-results.js';
import {
  paintOf,
  resultCells,
  type ShownStanding,
  selectShown,
  shownStandingOf,
} from './report-rows.js';

const gap = '   ';
// Maximum marks in a line.
const mostMarks = 100;

/** The place of the means among the cells of a case. */
const meansAt = 4;

/** A case and the rows of its trials. */
interface CaseRows {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly RowFacts[];
  /** Their places in the run. */
  readonly indices: readonly number[];
}

const marks: { readonly [standing in ShownStanding]: string } = {
  passed: '●',
  failed: '○',
  error: '!',
  'no verdict': '–',
  cancelled: '·',
  'not finished': '·',
  pruned: '·',
};

/**
 * Renders one line per case with a mark for each trial, and the means of its values; below it what went in and came out of its
 * first trial that failed.
 */
export function renderTrials(indices: readonly number[], options: RunReportOptions): string[] {
  const { columns, colours } = options;
  const selection = selectShown(groupCases(indices, options), worstOf);
  if (selection.shown.length === 0) return [];
  const nameOf = nameCases(selection.shown);
  const most = Math.min(mostMarks, Math.max(20, Math.floor(columns / 3)));
  const rows = selection.shown.map((one) => caseCells(one, nameOf(one), most, colours));
  const natural = columnWidths(rows);
  const isCut = (at: number) => at === 0 || at === meansAt;
  const shared = natural.map((width, at) => ({ natural: width, weight: isCut(at) ? 1 : 0 }));
  const gaps = (natural[meansAt] ?? 0) > 0 ? meansAt : meansAt - 1;
  const widths = shareWidths(shared, columns - 2 - gaps * gap.length);
  const names = fitNames(
    rows.map(([cell]) => cell?.text ?? ''),
    widths[0] ?? 0,
  );
  const fitted = rows.map((row, line) =>
    row.map((cell, at) => ({
      ...cell,
      text: at === 0 ? (names[line] ?? '') : fitWidth(cell.text, widths[at] ?? 0),
    })),
  );
  const lines = layOutTable(fitted, gap).flatMap((line, at) => {
    const one = selection.shown[at];
    return [`  ${line}`, ...(one === undefined ? [] : firstFailed(one, options))];
  });
  return [...lines, ...moreLines(selection, options)];
}

/**
 * `pass@1 60.0 % (35.7–80.2)   pass@5 66.7 % (30.0–90.3)   pass^5 33.3 % (9.7–70.0)   (3 cases × 5 trials, 95 %
 * intervals)`; `pass@k –, no verdict` when nothing has a verdict.
 */
export function renderTrialStatistics(
  fields: TrialFields,
  rows: readonly RowFacts[],
  columns: number,
): string[] {
  const { evaluations, text } = countTrials(rows, fields.trials);
  const estimates = estimateTexts(fields.trial_statistics.by_k, evaluations);
  const isGraded = fields.trial_statistics.by_k.length > 0;
  if (!isGraded && rows.some(isFinished)) estimates.push('pass@k –, no verdict');
  const count = `(${text}${isGraded ? ', 95 % intervals' : ''})`;
  return [[[...estimates, count].join(gap)], [estimates.join(gap), count], [...estimates, count]]
    .map((lines) => lines.filter((line) => line !== '').map((line) => `  ${line}`))
    .reduce((wide, narrow) => (wide.every((line) => line.length <= columns) ? wide : narrow));
}

/** The number of cases is shown if it is not all of them. */
function estimateTexts(byK: TrialStatistics['by_k'], evaluations: number): string[] {
  const [first] = byK;
  const last = byK.at(-1);
  if (first === undefined || last === undefined) return [];
  const textOf = (name: string, n: number, estimate: Estimate) => {
    const over = n === evaluations ? '' : `, n ${renderCount(n)}`;
    return `${name} ${renderPercent(estimate.estimate)} (${boundsText(estimate)}${over})`;
  };
  return [
    textOf('pass@1', first.n, first.pass_at),
    ...(last.k === 1
      ? []
      : [
          textOf(`pass@${last.k}`, last.n, last.pass_at),
          textOf(`pass^${last.k}`, last.n, last.pass_all),
        ]),
  ];
}

function countTrials(
  rows: readonly RowFacts[],
  trials: number,
): { evaluations: number; text: string } {
  const evaluations = new Set<string>();
  let count = 0;
  for (const row of rows) {
    if (row.trial_of === undefined) continue;
    evaluations.add(row.trial_of);
    count += 1;
  }
  const isEven = count === evaluations.size * trials;
  const each = isEven ? ` × ${countOf(trials, 'trial')}` : `, ${countOf(count, 'trial')}`;
  return { evaluations: evaluations.size, text: countOf(evaluations.size, 'case') + each };
}

// Longer values are unreadable even on unlimited lines.
const longestPreview = 500;

/** `~4   "Where is my refund?"   → "positive"`: the trial, its input, and its output or error; nothing if none failed. */
function firstFailed(
  { rows, indices }: CaseRows,
  { run, columns, colours }: RunReportOptions,
): string[] {
  const at = rows.findIndex(hasFailed);
  const index = indices[at];
  if (index === undefined) return [];
  const entry = run.entry(index);
  const most = Math.min(columns, longestPreview);
  const [, , input, outcome] = resultCells(entry, most, colours).map(({ text }) => text);
  const begin = `    ~${entry.trial ?? 1}${gap}`;
  const texts = [input ?? '', `→ ${outcome ?? ''}`];
  const shared = texts.map((text) => ({ natural: widthOf(text), weight: 1 }));
  const widths = shareWidths(shared, most - begin.length - gap.length);
  const fitted = texts.map((text, place) => fitWidth(text, widths[place] ?? 0));
  return [colours.dim(begin + fitted.join(gap))];
}

function groupCases(indices: readonly number[], { run }: RunReportOptions): CaseRows[] {
  const groups = new Map<string, CaseRows & { rows: RowFacts[]; indices: number[] }>();
  for (const index of indices) {
    const row = run.rows[index];
    if (row === undefined) continue;
    const id = caseIdOf(row);
    const group = groups.get(id);
    if (group === undefined) {
      groups.set(id, { id, name: row.function, rows: [row], indices: [index] });
    } else {
      group.rows.push(row);
      group.indices.push(index);
    }
  }
  return [...groups.values()];
}

function worstOf({ rows }: Pick<CaseRows, 'rows'>): ShownStanding {
  const standings = new Set(rows.map(shownStandingOf));
  const order = ['error', 'failed', 'not finished', 'cancelled', 'no verdict', 'pruned'] as const;
  return order.find((standing) => standings.has(standing)) ?? 'passed';
}

function nameCases(shown: readonly CaseRows[]): (one: CaseRows) => string {
  const counts = new Map<string, number>();
  for (const { name } of shown) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ id, name }) => ((counts.get(name) ?? 0) > 1 ? id : name);
}

/** `quality 0.496, size 3.2`: the mean of each score that has values, over the trials. */
function meansText(rows: readonly RowFacts[]): string {
  return scoreChips(rows)
    .flatMap((chip) => (chip.type === 'avg' ? [`${chip.key} ${renderNumber(chip.avg)}`] : []))
    .map(escapeTerminal)
    .join(', ');
}

function caseCells(
  { rows }: Pick<CaseRows, 'rows'>,
  name: string,
  most: number,
  colours: ChalkInstance,
): Cell[] {
  const standings = rows.map(shownStandingOf);
  const passed = rows.filter(passes).length;
  const finished = rows.filter(isFinished).length;
  const isGraded = standings.some((one) => one !== 'no verdict' && one !== 'not finished');
  const isFlaky = passed > 0 && passed < finished;
  const whole = worstOf({ rows });
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
    { text: isGraded ? `${renderCount(passed)}/${renderCount(rows.length)}` : 'no verdict' },
    { text: isFlaky ? 'flaky' : '', paint: colours.yellow },
    { text: meansText(rows) },
  ];
}
