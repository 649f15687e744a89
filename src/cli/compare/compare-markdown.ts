import {
  type AgainstBase,
  type ComparedRuns,
  type FiguredRun,
  figuredPart,
  runNotes,
} from '../../compare/compare-runs.js';
import { tableLine } from '../../exporters/markdown-cells.js';
import { escapeMarkdown, type LinkOfCase, linked } from '../../exporters/markdown-text.js';
import type { DiffPart } from '../../text/word-diff.js';
import { type MeasureFigure, measureLines } from './compare-figures.js';
import type { DetailedPair, ShownPairs } from './compare-shown.js';
import { changeTexts, leftText, limitTexts, nameOf, pairTexts } from './compare-words.js';

const longestName = 200;
const marks = { yes: '✅', no: '❌', 'cannot-tell': '❔' } as const;

interface MarkdownOptions {
  /** Include the verdict of the regression gate. */
  readonly withVerdict: boolean;
  /** Links cases to their source. */
  readonly linkOf?: LinkOfCase | undefined;
}

/** Renders a comparison as Markdown for a pull request comment; text of evaluations is escaped. */
export function renderComparisonMarkdown(
  runs: ComparedRuns,
  shown: ReadonlyMap<AgainstBase, ShownPairs>,
  { withVerdict, linkOf }: MarkdownOptions,
): string {
  const { base, others } = runs;
  const names = others.map(({ label }) => name(label)).join(', ');
  return [
    `### ${names} against ${name(base.label)}\n`,
    ...(withVerdict ? others.map((other) => verdictLine(other, others.length > 1)) : []),
    ...runNotes(runs).map((text) => `⚠️ ${escapeMarkdown(text)}\n`),
    measureTable(runs),
    ...others.map((other) =>
      section(base, other, shown.get(other), { isNamed: others.length > 1, linkOf }),
    ),
  ].join('\n');
}

function verdictLine({ label, regression }: AgainstBase, isNamed: boolean): string {
  const who = isNamed ? `${name(label)}: ` : '';
  return `${marks[regression.verdict]} ${who}${escapeMarkdown(regression.text)}\n`;
}

function measureTable(runs: ComparedRuns): string {
  const labels = [runs.base, ...runs.others].map(({ label }) => name(label));
  const head = [
    'measure',
    'run',
    figuredPart(runs),
    '95 %',
    'of',
    'pairs',
    'difference',
    '95 %',
    'p',
    '',
  ];
  const rule = ['---', '---', '--:', '---', '--:', '--:', '--:', '---', '--:', '---'];
  const rows = measureLines(runs).flatMap(({ name: measure, figures }) =>
    figures.map((figure, at) => [
      at === 0 ? name(measure) : '',
      labels[at] ?? '',
      ...figureCells(figure),
    ]),
  );
  return [head, rule, ...rows].map(tableLine).join('');
}

function figureCells(figure: MeasureFigure): string[] {
  const { value, interval, of, pairs, difference, differenceInterval, p, verdict, judge } = figure;
  const texts = [value, interval, of, pairs, difference, differenceInterval, p];
  const isFound = verdict === 'better' || verdict === 'worse';
  const found = isFound ? `**${verdict}**` : verdict;
  const last = [found, judge].filter((text) => text !== '').join(', ');
  return [...texts.map(escapeMarkdown), last];
}

function section(
  base: FiguredRun,
  other: AgainstBase,
  shown: ShownPairs | undefined,
  { isNamed, linkOf }: { readonly isNamed: boolean } & Pick<MarkdownOptions, 'linkOf'>,
): string {
  const { changes } = other.comparison.summary;
  const counts = changeTexts(changes, base, other).map(escapeMarkdown).join(' · ');
  const title = isNamed ? `#### ${name(other.label)}\n\n` : '';
  const details = shown?.details ?? [];
  const items = details.map((detail) => item(detail, base, other, linkOf)).join('');
  const left = shown === undefined ? '' : leftText(shown);
  const more = left === '' ? '' : `\n… ${left}\n`;
  const list =
    details.length === 0
      ? ''
      : `\n<details><summary>Cases</summary>\n\n${items}${more}\n</details>\n`;
  const limits = limitTexts(base, other).map((text) => `\n${escapeMarkdown(text)}\n`);
  return `${title}${counts}\n${limits.join('')}${list}`;
}

function item(
  { pair, diff }: DetailedPair,
  base: FiguredRun,
  other: AgainstBase,
  linkOf?: LinkOfCase,
): string {
  const text = pairTexts(pair, base, other).map(escapeMarkdown).join(' · ');
  const outputs = (diff ?? []).map(piece).join('');
  const output = outputs.trim() === '' ? '' : `<br>${outputs.trim()}`;
  return `- **${linked(name(nameOf(pair)), linkOf?.(pair.id))}** ${text}${output}\n`;
}

function piece({ kind, text }: DiffPart): string {
  const safe = escapeMarkdown(text);
  if (kind === 'removed') return `<del>${safe}</del>`;
  return kind === 'added' ? `<ins>${safe}</ins>` : safe;
}

function name(text: string): string {
  return escapeMarkdown(text.length > longestName ? `${text.slice(0, longestName)}…` : text);
}
