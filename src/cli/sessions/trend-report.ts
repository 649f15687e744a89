import type { Trend, TrendFigure, TrendMeasure, TrendRun } from '../../compare/trend/trend.js';
import { renderLatency } from '../../text/duration-text.js';
import {
  driftText,
  outsideText,
  trendBoundsText,
  trendChangeText,
  trendNotes,
  trendSizeText,
  trendValueText,
} from '../../text/trend-text.js';
import { renderCost } from '../../text/usage-text.js';
import { coloursFor } from '../terminal/colour.js';
import { renderFittedColumns } from '../terminal/fitted-columns.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import { renderSparkline } from './session-tables.js';

/** A sparkline has the newest of so many runs. */
const mostBars = 40;

interface Line {
  readonly name: string;
  readonly now: string;
  readonly interval: string;
  readonly change: string;
  readonly limits: string;
  /** Of the runs on the line, oldest first. */
  readonly values: readonly (number | null)[];
}

/** The trend of a session for a terminal: a line per figure, then what is beyond chance, the newest run first. */
export function renderTrend(trend: Trend, width: number | undefined): string {
  const line = trend.runs.filter(({ on_line }) => on_line);
  const size = trendSizeText(trend.runs.length, trend.total, line.length, trend.config_name);
  const head = `session ${escapeTerminal(trend.session_name)} · ${escapeTerminal(size)}`;
  if (line.length === 0) return [head, ...notesOf(trend)].join('\n');
  const marks = line.toReversed().flatMap((run) => marksOf(run, trend.measures));
  return [
    `${head}\n`,
    figureTable(linesOf(trend, line), width),
    ...(marks.length > 0
      ? ['', ...marks]
      : ['\n  no step is beyond chance, and no run is outside of its limits']),
    ...notesOf(trend),
  ].join('\n');
}

function figureTable(lines: readonly Line[], width: number | undefined): string {
  const cells = (of: Exclude<keyof Line, 'values'>) => lines.map((line) => line[of]);
  return renderFittedColumns(
    [
      { title: 'figure', cells: cells('name'), shrinkTo: 12 },
      { title: 'now', cells: cells('now'), align: 'right' },
      { title: '95 %', cells: cells('interval'), rank: 1 },
      { title: 'since last', cells: cells('change'), rank: 2 },
      { title: 'limits', cells: cells('limits'), rank: 0 },
      { title: 'runs', cells: lines.map(({ values }) => barsOf(values)) },
    ],
    width,
  );
}

function linesOf({ measures }: Trend, line: readonly TrendRun[]): Line[] {
  const last = line.at(-1);
  const figures = measures.map((measure, at): Line => {
    const figure = last?.figures[at] ?? null;
    return {
      name: escapeTerminal(measure.name),
      now: figure === null ? '–' : trendValueText(figure, measure.type),
      interval: trendBoundsText(figure, measure.type),
      change: figure === null ? '' : stepText(figure, measure),
      limits: trendBoundsText(figure?.limits ?? null, measure.type),
      values: line.map(({ figures }) => figures[at]?.estimate ?? null),
    };
  });
  return [...figures, ...costLine(line), ...latencyLine(line)];
}

/** Cost was paid, not estimated, so it has no interval; absent without calls. */
function costLine(line: readonly TrendRun[]): Line[] {
  const last = line.at(-1)?.cost ?? null;
  if (line.every(({ cost }) => cost === null)) return [];
  const now = last === null ? '–' : renderCost(last);
  const values = line.map(({ cost }) => cost?.cost ?? null);
  return [{ name: 'cost', now, interval: '', change: '', limits: '', values }];
}

function latencyLine(line: readonly TrendRun[]): Line[] {
  const last = line.at(-1)?.p95 ?? null;
  if (line.every(({ p95 }) => p95 === null)) return [];
  const isKnown = last !== null && last.low !== null && last.high !== null;
  return [
    {
      name: 'p95 latency',
      now: last === null ? '–' : renderLatency(last.estimate),
      interval: isKnown ? `${renderLatency(last.low ?? 0)}–${renderLatency(last.high ?? 0)}` : '–',
      ...{ change: '', limits: '' },
      values: line.map(({ p95 }) => p95?.estimate ?? null),
    },
  ];
}

/** Bars from the lowest to the highest value; half high if all are alike. */
function barsOf(values: readonly (number | null)[]): string {
  const shown = values.slice(-mostBars);
  const known = shown.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return renderSparkline(
    shown.map((value) =>
      value === null
        ? null
        : { estimate: high > low ? (value - low) / (high - low) : 0.5, low: null, high: null },
    ),
  );
}

/** `▼ −8.0`; the arrow only beyond chance. */
function stepText({ step }: TrendFigure, { type, better }: TrendMeasure): string {
  if (step?.difference == null) return '';
  const { estimate } = step.difference;
  const text = trendChangeText(estimate, type);
  if (!step.beyond_chance) return text;
  const colours = coloursFor('stdout');
  const isBetter = estimate > 0 === (better === 'higher');
  return (isBetter ? colours.green : colours.red)(`${estimate > 0 ? '▲' : '▼'} ${text}`);
}

/** What is beyond chance in a run: steps, figures outside of their limits, drifts. */
function marksOf(run: TrendRun, measures: readonly TrendMeasure[]): string[] {
  const day = new Date(run.started_at * 1000).toISOString().slice(0, 16).replace('T', ' ');
  return measures.flatMap((measure, at) => {
    const figure = run.figures[at] ?? null;
    if (figure === null) return [];
    const says = [
      ...(figure.step?.beyond_chance
        ? [
            `${stepText(figure, measure)} since ${escapeTerminal(run.previous?.run_name ?? '')}, beyond chance`,
          ]
        : []),
      ...(figure.outside ? [outsideText(figure.outside, figure.limits, measure.type)] : []),
      ...(figure.drift ? [driftText(figure.drift)] : []),
    ];
    if (says.length === 0) return [];
    const value = trendValueText(figure, measure.type);
    return [
      `  ${day}  ${escapeTerminal(run.run_name)}  ${escapeTerminal(measure.name)} ${value}  ${says.join(' · ')}`,
    ];
  });
}

function notesOf(trend: Trend): string[] {
  const notes = trendNotes(trend);
  return notes.length === 0 ? [] : ['', ...notes.map((note) => `  ${escapeTerminal(note)}`)];
}
