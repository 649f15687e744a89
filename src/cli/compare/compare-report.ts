import type { ChalkInstance } from 'chalk';
import { pairedCases } from '../../compare/cases/change.js';
import {
  type AgainstBase,
  type ComparedRuns,
  type FiguredRun,
  figuredPart,
  runNotes,
} from '../../compare/compare-runs.js';
import { countOf, inClustersText, renderCount } from '../../text/count-text.js';
import type { DiffPart } from '../../text/word-diff.js';
import { relativeTime } from '../terminal/relative-time.js';
import { renderTable } from '../terminal/responsive-table.js';
import type { Cell } from '../terminal/table.js';
import { escapeTerminal, fitWidth, widthOf, wrapParts } from '../terminal/terminal-text.js';
import { type MeasureFigure, measureLines } from './compare-figures.js';
import type { DetailedPair, ShownPairs } from './compare-shown.js';
import { changeTexts, leftText, limitTexts, nameOf, pairTexts } from './compare-words.js';

/** Options for a comparison on a terminal. */
export interface CompareReportOptions {
  /** Line width; at least 60. */
  readonly columns: number;
  readonly colours: ChalkInstance;
}

/** Renders the runs of a comparison, the base first: name, id and start time. */
function renderRuns(
  { base, others }: ComparedRuns,
  now: number,
  { columns, colours }: CompareReportOptions,
): string[] {
  const runs = [base, ...others];
  const cells = (read: (run: FiguredRun) => string): Cell[] =>
    runs.map((run) => ({ text: escapeTerminal(read(run)) }));
  return renderTable(
    [
      {
        title: '',
        cells: runs.map((_, at) => ({ text: at === 0 ? 'base' : '', paint: colours.dim })),
      },
      { title: 'run', cells: cells(({ label }) => label), shrinkTo: 12 },
      { title: 'id', cells: cells(({ run }) => run.head.run_id) },
      {
        title: 'session',
        cells: cells(({ run }) => run.head.session_name ?? 'baseline file'),
        shrinkTo: 8,
        rank: 1,
      },
      {
        title: 'started',
        cells: cells(({ run }) => relativeTime(run.head.timestamp * 1000, now)),
        rank: 2,
      },
      {
        title: 'cases',
        cells: cells(({ figures }) => evaluationsText(figures)),
        align: 'right',
      },
    ],
    columns,
    colours,
  );
}

function evaluationsText({ units, finished }: FiguredRun['figures']): string {
  const all = renderCount(units);
  return finished === units ? all : `${renderCount(finished)} of ${all}`;
}

/** Renders the table of measures: one line per measure and run, of the whole run and against the base. */
export function renderMeasures(
  runs: ComparedRuns,
  { columns, colours }: CompareReportOptions,
): string[] {
  const labels = [runs.base, ...runs.others].map(({ label }) => escapeTerminal(label));
  const lines = measureLines(runs);
  const cells = (read: (figure: MeasureFigure) => Cell): Cell[] =>
    lines.flatMap(({ figures }) => figures.map(read));
  const plain = (text: string): Cell => ({ text });
  const quiet = (text: string): Cell => ({ text, paint: colours.dim });
  const names = lines.flatMap(({ name, figures }) =>
    figures.map((_, at) => plain(at === 0 ? escapeTerminal(name) : '')),
  );
  const runCells = lines.flatMap(({ figures }) => figures.map((_, at) => plain(labels[at] ?? '')));
  const verdict = ({ verdict: text }: MeasureFigure) => ({ text, paint: paintOf(text, colours) });
  return renderTable(
    [
      { title: 'measure', cells: names, shrinkTo: 10 },
      { title: 'run', cells: runCells, shrinkTo: 9, cut: cutOf(labels) },
      {
        title: figuredPart(runs),
        cells: cells((figure) => plain(figure.value)),
        align: 'right',
        rank: 4,
      },
      { title: '95 %', cells: cells((figure) => quiet(figure.interval)), rank: 2 },
      { title: 'of', cells: cells((figure) => quiet(figure.of)), rank: 1 },
      // A verdict must not lose the name of its measure.
      { title: 'pairs', cells: cells((figure) => plain(figure.pairs)), align: 'right', rank: 5 },
      {
        title: 'difference',
        cells: cells((figure) => plain(figure.difference)),
        align: 'right',
      },
      { title: '95 %', cells: cells((figure) => quiet(figure.differenceInterval)), rank: 3 },
      { title: 'p', cells: cells((figure) => plain(figure.p)), rank: 6 },
      { title: '', cells: cells(verdict) },
      // The notes say it, too.
      {
        title: '',
        cells: cells(({ judge }) => ({ text: judge, paint: colours.yellow })),
        rank: 4,
      },
    ],
    columns,
    colours,
  );
}

/** Where names are cut: those that begin alike, such as those with a date, at their start. */
export function cutOf(labels: readonly string[]): 'start' | 'end' {
  const beginnings = new Set(labels.map((label) => label.slice(0, 7)));
  return beginnings.size < labels.length ? 'start' : 'end';
}

function paintOf(verdict: MeasureFigure['verdict'], colours: ChalkInstance) {
  if (verdict === 'better') return colours.green;
  return verdict === 'worse' ? colours.red : colours.dim;
}

/** `brisk-otter against plain-harbor · 342 cases in both`. */
function renderAgainst(
  base: FiguredRun,
  { label, comparison }: AgainstBase,
  { columns, colours }: CompareReportOptions,
): string[] {
  const { changes, pass_rate } = comparison.summary;
  const names = `${escapeTerminal(label)} against ${escapeTerminal(base.label)}`;
  const text = `${names} · ${countOf(pairedCases(changes), 'case')}${inClustersText(pass_rate.clusters)} in both`;
  return [`  ${colours.bold(fitWidth(text, columns - 2))}`];
}

/** Renders the number of cases per change, and whether anything is worse beyond chance. */
function renderChanges(
  base: FiguredRun,
  other: AgainstBase,
  { columns, colours }: CompareReportOptions,
): string[] {
  const { changes } = other.comparison.summary;
  const texts = changeTexts(changes, base, other).map(escapeTerminal);
  return wrapParts(texts, columns, '  ', (part) => {
    if (part === texts[0] && changes.regressed > 0) return colours.red(part);
    return part === texts[1] && changes.fixed > 0 ? colours.green(part) : part;
  });
}

/** Renders the verdict of the gate against regressions in a line. */
function renderVerdict(
  { regression }: AgainstBase,
  { columns, colours }: CompareReportOptions,
): string[] {
  const isFine = regression.verdict === 'yes';
  const mark = isFine ? '✓' : regression.verdict === 'no' ? '✗' : '–';
  const paint = isFine ? colours.green : regression.verdict === 'no' ? colours.red : colours.dim;
  const text = `${mark} ${escapeTerminal(regression.text)}`;
  return wrapWords([{ text, paint }], columns, '  ', '    ');
}

/** Renders the detectable difference, and the untested measures. */
function renderLimits(
  base: FiguredRun,
  other: AgainstBase,
  { columns, colours }: CompareReportOptions,
): string[] {
  return limitTexts(base, other).flatMap((text) =>
    wrapWords([{ text: escapeTerminal(text), paint: colours.dim }], columns, '  ', '    '),
  );
}

/** Renders what is to know of the runs. */
export function renderNotes(
  notes: readonly string[],
  { columns, colours }: CompareReportOptions,
): string[] {
  return notes.flatMap((note) =>
    wrapWords([{ text: escapeTerminal(note), paint: colours.yellow }], columns, '  ', '    '),
  );
}

/** Renders the shown cases, each with the difference of its outputs. */
function renderPairs(
  shown: ShownPairs,
  base: FiguredRun,
  other: AgainstBase,
  options: CompareReportOptions,
): string[] {
  const { colours } = options;
  const lines = shown.details.flatMap((detail) => renderPair(detail, base, other, options));
  const more = leftText(shown);
  return more === '' ? lines : [...lines, colours.dim(`  … ${more}`)];
}

function renderPair(
  { pair, diff }: DetailedPair,
  base: FiguredRun,
  other: AgainstBase,
  { columns, colours }: CompareReportOptions,
): string[] {
  const marks = { regressed: '✗', fixed: '✓', changed: '~' } as const;
  const { change } = pair;
  const mark = change in marks ? marks[change as keyof typeof marks] : '·';
  const paint = { '✗': colours.red, '✓': colours.green, '~': colours.yellow, '·': colours.dim }[
    mark
  ];
  const details = pairTexts(pair, base, other).map(escapeTerminal).join(' · ');
  const name = fitWidth(escapeTerminal(nameOf(pair)), Math.max(20, Math.floor(columns / 2)));
  const fittedDetails = fitWidth(details, Math.max(10, columns - 7 - widthOf(name)));
  return [
    `  ${paint(`${mark} ${name}`)}   ${fittedDetails}`,
    ...wrapWords(
      (diff ?? []).map((piece) => paintPiece(piece, colours)),
      columns,
      '      ',
    ),
  ];
}

interface Painted {
  readonly text: string;
  readonly paint: (text: string) => string;
}

function paintPiece({ kind, text }: DiffPart, colours: ChalkInstance): Painted {
  const safe = escapeTerminal(text);
  if (kind === 'removed') return { text: `[-${safe}-]`, paint: colours.red };
  if (kind === 'added') return { text: `{+${safe}+}`, paint: colours.green };
  return { text: safe, paint: (same) => same };
}

/** Escapes a word that may begin a line; see `escapeTerminal`. */
function harmlessAnywhere(text: string): string {
  return text.replace(/(?<=^|\s):(?=:)/g, '\\u{3a}');
}

/** Wraps words to lines of at most `columns` columns; longer words are cut. */
function wrapWords(
  pieces: readonly Painted[],
  columns: number,
  indent: string,
  nextIndent = indent,
): string[] {
  const lines: string[] = [];
  let line = '';
  let width = 0;
  for (const { text, paint } of pieces) {
    for (const part of harmlessAnywhere(text).split(/(?<= )/)) {
      const begin = lines.length === 0 ? indent : nextIndent;
      const room = columns - begin.length;
      const word = fitWidth(part, room);
      if (width > 0 && width + widthOf(word.trimEnd()) > room) {
        lines.push(begin + line.trimEnd());
        line = '';
        width = 0;
      }
      line += paint(word);
      width += widthOf(word);
    }
  }
  const begin = lines.length === 0 ? indent : nextIndent;
  return width === 0 ? lines : [...lines, begin + line.trimEnd()];
}

/** Options of a comparison on a terminal. */
export interface ComparisonPage extends CompareReportOptions {
  /** Unix milliseconds. */
  readonly now: number;
  /** True after a run that was already reported: omits the table of runs. Default: false. */
  readonly afterRun?: boolean | undefined;
  /** Include the verdict of the regression gate. */
  readonly withVerdict: boolean;
}

/** Renders a comparison for a terminal. */
export function renderComparison(
  runs: ComparedRuns,
  shown: ReadonlyMap<AgainstBase, ShownPairs>,
  page: ComparisonPage,
): string {
  const { base, others } = runs;
  const measures = renderMeasures(runs, page);
  const begin = page.afterRun === true ? [] : [renderRuns(runs, page.now, page), measures];
  const parts = others.flatMap((other) => {
    const verdict = page.withVerdict ? renderVerdict(other, page) : [];
    const pairs = shown.get(other);
    return [
      renderAgainst(base, other, page),
      ...(page.afterRun === true ? [measures] : []),
      [...renderChanges(base, other, page), ...verdict, ...renderLimits(base, other, page)],
      pairs === undefined ? [] : renderPairs(pairs, base, other, page),
    ];
  });
  return [...begin, renderNotes(runNotes(runs), page), ...parts]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}
