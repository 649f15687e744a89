import type { TrendMeasure } from '../../../src/compare/trend/trend.js';
import type { Bounds } from '../../../src/statistics/bounds.js';
import { renderLatency } from '../../../src/text/duration-text.js';
import { figureText } from '../../../src/text/number-text.js';
import { trendBoundsText, trendChangeText, trendValueText } from '../../../src/text/trend-text.js';
import { renderCost, renderDollars } from '../../../src/text/usage-text.js';
import type { TrendFigure, TrendRun } from '../api/schema.js';
import { evenAxis, type ScatterAxis, shareAxis } from '../matrix/scatter-scale.js';

/** A figure of a run in a chart. */
export interface SeriesPoint {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly limits: Bounds | null;
  readonly isOutside: boolean;
  /** Present where the change since the run before is beyond chance. */
  readonly change?: FigureChange | undefined;
  readonly drift?: 'up' | 'down' | undefined;
}

/** The change of a figure since the run before. */
export interface FigureChange {
  /** `▼ −8.0`; the arrow only beyond chance. */
  readonly text: string;
  readonly to: 'up' | 'down';
  /** Only beyond chance. */
  readonly verdict?: 'better' | 'worse' | undefined;
}

/** A figure over the shown runs, oldest first. */
export interface Series {
  readonly id: string;
  readonly name: string;
  /** `null` where a run does not have it. */
  readonly points: readonly (SeriesPoint | null)[];
  readonly axis: ScatterAxis;
  /** Both ends of the axis. */
  readonly range: string;
  /** Of the newest run on the line that has it. */
  readonly now: string;
  readonly interval?: string | undefined;
  readonly change?: FigureChange | undefined;
}

/** The change of a figure; `undefined` where there is nothing to compare. */
export function changeOf(
  { step, is_p50 }: TrendFigure,
  { type, better }: TrendMeasure,
): FigureChange | undefined {
  if (step === null || step.difference === null) return undefined;
  const { estimate } = step.difference;
  // The value is then the p50, but what differs is the mean.
  const text = `${is_p50 ? 'mean ' : ''}${trendChangeText(estimate, type)}`;
  const to = estimate < 0 ? 'down' : 'up';
  if (!step.beyond_chance) return { text, to };
  return {
    text: `${to === 'up' ? '▲' : '▼'} ${text}`,
    to,
    verdict: (to === 'up') === (better === 'higher') ? 'better' : 'worse',
  };
}

/** The series of a measure. */
export function measureSeries(
  measures: readonly TrendMeasure[],
  at: number,
  runs: readonly TrendRun[],
) {
  const measure = measures[at];
  if (measure === undefined) return undefined;
  const points = runs.map(({ figures }) => {
    const figure = figures[at] ?? null;
    return figure && pointOf(figure, measure);
  });
  if (points.every((point) => point === null)) return undefined;
  const axis = axisOfMeasure(points, measure);
  const newest = newestOf(runs, ({ figures }) => figures[at] ?? null);
  const text = (value: number) =>
    measure.type === 'ratio' ? String(Math.round(value * 100)) : figureText(value);
  return {
    id: `${measure.type} ${measure.name}`,
    name: measure.name,
    points,
    axis,
    range: rangeText(axis, text),
    now: newest ? trendValueText(newest, measure.type) : '–',
    interval: newest ? trendBoundsText(newest, measure.type) : undefined,
    change: newest ? changeOf(newest, measure) : undefined,
  } satisfies Series;
}

function pointOf(figure: TrendFigure, measure: TrendMeasure): SeriesPoint {
  const { estimate, low, high, limits, outside, drift } = figure;
  const change = changeOf(figure, measure);
  return {
    ...{ value: estimate, low, high, limits, drift },
    isOutside: outside !== undefined,
    change: change?.verdict && change,
  };
}

/** Cost and p95 of the runs, of those that there are. */
export function amountSeries(runs: readonly TrendRun[]): Series[] {
  const costs = amountPoints(runs.map(({ cost }) => cost && { estimate: cost.cost }));
  const latencies = amountPoints(runs.map(({ p95 }) => p95));
  const cost = newestOf(runs, (run) => run.cost);
  const p95 = newestOf(runs, (run) => run.p95);
  return [
    ...amount('cost of a run', costs, renderDollars, cost ? renderCost(cost) : '–'),
    ...amount('p95 latency', latencies, renderLatency, p95 ? renderLatency(p95.estimate) : '–'),
  ];
}

function amountPoints(
  figures: readonly ((Partial<Bounds> & { readonly estimate: number | null }) | null)[],
) {
  return figures.map((figure): SeriesPoint | null => {
    if (figure === null || figure.estimate === null) return null;
    const { estimate: value, low = null, high = null } = figure;
    return { value, low, high, limits: null, isOutside: false };
  });
}

/** An amount has no marks: cost was paid, not estimated, and runs share load. */
function amount(
  name: string,
  points: readonly (SeriesPoint | null)[],
  text: (value: number) => string,
  now: string,
): Series[] {
  const known = points.filter((point) => point !== null);
  if (known.length === 0) return [];
  const axis = evenAxis(0, Math.max(...known.map(({ value, high }) => high ?? value)) || 1);
  return [{ id: name, name, points, axis, range: rangeText(axis, text), now }];
}

function newestOf<T>(runs: readonly TrendRun[], read: (run: TrendRun) => T | null): T | null {
  const run = runs.findLast((one) => one.on_line && read(one) !== null);
  return run === undefined ? null : read(run);
}

function axisOfMeasure(points: readonly (SeriesPoint | null)[], { key, type }: TrendMeasure) {
  const values = points.flatMap((point) => {
    if (point === null) return [];
    const { value, low, high, limits } = point;
    return [value, low, high, limits?.low, limits?.high].filter((one) => typeof one === 'number');
  });
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (key === null) return shareAxis(least, most);
  if (type === 'ratio') return shareAxis(Math.min(0.5, least), 1);
  return least >= 0 && most <= 1 ? shareAxis(least, 1) : evenAxis(least, most);
}

function rangeText({ ticks }: ScatterAxis, text: (value: number) => string): string {
  const first = ticks[0]?.value ?? 0;
  return `${first === 0 ? '0' : text(first)} – ${text(ticks.at(-1)?.value ?? 1)}`;
}

/** Draws lines only through neighbours of the line: where a run on it lacks the figure, another part begins. */
export function partsOf<T>(
  points: readonly (T | null)[],
  runs: readonly Pick<TrendRun, 'on_line'>[],
): (readonly [at: number, point: T])[][] {
  const parts: (readonly [number, T])[][] = [[]];
  for (const [at, point] of points.entries()) {
    if (!runs[at]?.on_line) continue;
    if (point === null) parts.push([]);
    else parts.at(-1)?.push([at, point]);
  }
  return parts.filter((part) => part.length > 0);
}
