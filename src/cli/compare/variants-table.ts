import type { ChalkInstance } from 'chalk';
import type {
  VariantComparison,
  VariantDifference,
  VariantFigures,
} from '../../compare/variants/compare-variants.js';
import type { FactorEffect } from '../../compare/variants/factor-effects.js';
import { tableLine } from '../../exporters/markdown-cells.js';
import { escapeCell, escapeMarkdown } from '../../exporters/markdown-text.js';
import type { Json } from '../../model/json.js';
import { renderPercent } from '../../model/summary/figure-text.js';
import { hasTooLittleData, pText, tooLittleData } from '../../text/chance-text.js';
import { renderLatency } from '../../text/duration-text.js';
import { boundsText, noIntervalText, pointsText } from '../../text/share-text.js';
import { renderCost } from '../../text/usage-text.js';
import { renderTable, type TableColumn } from '../terminal/responsive-table.js';
import { escapeTerminal, fitWidth, widthOf, wrapParts } from '../terminal/terminal-text.js';
import { type CompareReportOptions, cutOf, renderNotes } from './compare-report.js';

/** Shown for what is not there, such as the rate of a run without verdicts. */
const absent = '–';

/** A variant as text, under the titles of its columns. */
interface VariantCells {
  readonly mark: '◆' | '';
  readonly variant: string;
  readonly passed: string;
  /** 95 % interval. */
  readonly interval: string;
  readonly againstBase: string;
  readonly p: string;
  /** US dollars, without the sign. */
  readonly cost: string;
  readonly p50: string;
}

/** The columns in order. `rank`: which goes first where there is no room for all. */
const columns: readonly {
  readonly key: keyof VariantCells;
  readonly title: string;
  readonly options?: Pick<TableColumn, 'align' | 'rank' | 'shrinkTo'>;
}[] = [
  { key: 'mark', title: '' },
  { key: 'variant', title: 'variant', options: { shrinkTo: 12 } },
  { key: 'passed', title: 'passed', options: { align: 'right' } },
  { key: 'interval', title: '95 %', options: { rank: 2 } },
  { key: 'againstBase', title: 'against base' },
  { key: 'p', title: 'p' },
  { key: 'cost', title: '$/case', options: { align: 'right', rank: 3 } },
  { key: 'p50', title: 'p50', options: { align: 'right', rank: 1 } },
];

/**
 * Renders variants as a table for a terminal: a line for each, the base first, then those that pass most; below it what each
 * param does, what is expected of the best, and what is to know of the figures.
 */
export function renderVariants(comparison: VariantComparison, page: CompareReportOptions): string {
  const { colours } = page;
  const shown = inOrder(comparison);
  const cells = shown.map(cellsOf);
  const table = renderTable(
    columns.map(({ key, title, options }) => ({
      title,
      ...options,
      ...(key === 'variant' && { cut: cutOf(cells.map(({ variant }) => variant)) }),
      cells: cells.map((of, at) => {
        const isFound = key === 'againstBase' && shown[at]?.difference?.beyond_chance === true;
        const paint = isFound ? foundPaint(shown[at], colours) : paintOf(key, colours);
        return { text: escapeTerminal(of[key]), paint };
      }),
    })),
    page.columns,
    colours,
  );
  const factors = (comparison.factors ?? []).map((one) => escapeTerminal(factorText(one)));
  return [
    table,
    fillLines(factors, page.columns),
    againTexts(comparison).map((text) => `  ${fitWidth(escapeTerminal(text), page.columns - 2)}`),
    wrapParts(legend(comparison), page.columns, '  ', (text) => colours.dim(text)),
    renderNotes(comparison.notes, page),
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** Renders variants as Markdown, with the same texts in the same order. */
export function renderVariantsMarkdown(comparison: VariantComparison): string {
  const rows = inOrder(comparison).map(cellsOf);
  const filled = columns.filter(({ key }) => rows.some((row) => row[key] !== ''));
  const table = [
    filled.map(({ title }) => escapeCell(title)),
    filled.map(({ options }) => (options?.align === 'right' ? '--:' : '---')),
    ...rows.map((row) => filled.map(({ key }) => escapeCell(row[key]))),
  ].map(tableLine);
  const factors = (comparison.factors ?? []).map((one) => `- ${escapeMarkdown(factorText(one))}\n`);
  const again = againTexts(comparison).map((text) => `${escapeMarkdown(text)}\n`);
  const explained = [legend(comparison).join(' · ')].filter((text) => text !== '');
  const notes = comparison.notes.map((text) => `⚠️ ${escapeMarkdown(text)}\n`);
  return [
    table.join(''),
    factors.join(''),
    ...again,
    ...explained.map((text) => `${escapeMarkdown(text)}\n`),
    ...notes,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** The base, then the others by pass rate; those without one last. */
function inOrder({ runs }: VariantComparison): VariantFigures[] {
  const [base, ...others] = runs;
  const rateOf = ({ pass_rate }: VariantFigures) => pass_rate.rate?.estimate ?? -1;
  const sorted = others.sort((one, two) => rateOf(two) - rateOf(one));
  return base === undefined ? sorted : [base, ...sorted];
}

function cellsOf({
  label,
  pass_rate,
  difference,
  cost,
  p50,
  is_best,
}: VariantFigures): VariantCells {
  const { rate } = pass_rate;
  return {
    mark: is_best ? '◆' : '',
    variant: label,
    passed: rate === null ? absent : renderPercent(rate.estimate),
    interval: rate === null ? '' : boundsText(rate),
    againstBase: difference === undefined ? 'base' : differenceText(difference),
    p: difference === undefined ? '' : adjustedText(difference),
    cost: cost === null ? '' : dollarsText(cost),
    p50: p50 === null ? '' : renderLatency(p50),
  };
}

/** `+6.1 (+2.9 to +9.4)` */
function differenceText(of: Pick<VariantDifference, 'difference' | 'pairs' | 'higher' | 'lower'>) {
  if (of.difference === null) return absent;
  const { estimate, low, high } = of.difference;
  const interval =
    low === null || high === null
      ? noIntervalText(of)
      : `${pointsText(low)} to ${pointsText(high)}`;
  return `${pointsText(estimate)} (${interval})`;
}

/** Nothing is said of variants that are the same in all cases. */
function adjustedText(difference: VariantDifference): string {
  const { p, p_adjusted, higher, lower } = difference;
  if (p === null) return '';
  if (p_adjusted !== null) return pText(p_adjusted);
  return hasTooLittleData(difference) && higher + lower > 0 ? tooLittleData : pText(p);
}

/** `.0070`, `≥ .0070` where some is unknown, `(.0070)` where calls were replayed, `unknown`: the head of the column has the sign. */
function dollarsText({ per_case, unknown, replayed }: NonNullable<VariantFigures['cost']>): string {
  const text = renderCost({ cost: per_case, unpriced: unknown }).replace(/\$0?(?=\.)|\$/, '');
  return replayed !== undefined && per_case !== null ? `(${text})` : text;
}

/** `prompt v14 → v15   +8.6 (+5.2 to +12.0)` */
function factorText(effect: FactorEffect): string {
  const { param, from, to } = effect;
  return `${param} ${valueText(from)} → ${valueText(to)}   ${differenceText(effect)}`;
}

const longestValue = 30;

function valueText(value: Json): string {
  const text = typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
  return fitWidth(text === '' ? JSON.stringify(value) : text, longestValue);
}

/** `large v15, best of 8: expect 83.1 % when run again`; none for fewer than four variants. */
function againTexts({ runs }: VariantComparison): string[] {
  const of = runs.filter(({ pass_rate }) => pass_rate.rate !== null).length;
  return runs.flatMap(({ label, expected_again: again }) =>
    again === undefined
      ? []
      : [`${label}, best of ${of}: expect ${renderPercent(again)} when run again`],
  );
}

/** What is not said by the heads of the columns. */
function legend({ runs }: VariantComparison): string[] {
  const hasCosts = runs.some(({ cost }) => cost !== null);
  const hasBest = runs.some(({ is_best }) => is_best);
  return [
    ...(hasBest ? [hasCosts ? '◆ nothing cheaper passes as much' : '◆ passes most'] : []),
    ...(runs.length > 2 ? ['p is adjusted for the number of variants'] : []),
  ];
}

/** As many parts on a line as it has room for. */
function fillLines(parts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const line = `${lines.at(-1)}     ${part}`;
    if (lines.length > 0 && widthOf(line) <= width) lines[lines.length - 1] = line;
    else lines.push(`  ${fitWidth(part, width - 2)}`);
  }
  return lines;
}

function foundPaint(variant: VariantFigures | undefined, colours: ChalkInstance) {
  return (variant?.difference?.difference?.estimate ?? 0) > 0 ? colours.green : colours.red;
}

function paintOf(key: keyof VariantCells, colours: ChalkInstance) {
  return key === 'interval' || key === 'p50' ? colours.dim : undefined;
}
