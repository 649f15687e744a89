import { amountText, type Unit } from '../../../../src/text/amount-text.js';
import { type AxisKind, axisOf, type ScatterAxis } from '../../matrix/scatter-scale.js';
import { parseScoreRule } from '../filters/filter-values.js';
import { type FilterKind, renderFilterQuery, type View, withChoice } from '../view-state.js';

/** Numbers of results that a chart can show, besides scores. */
export const plainFigures = ['latency', 'cost', 'tokens', 'calls'] as const;
type PlainFigure = (typeof plainFigures)[number];

/** `latency`, `cost`, `tokens`, `calls` or `score:KEY`. */
export type ChartFigure = PlainFigure | `score:${string}`;

/** From inclusive, to exclusive; an absent end is open. */
export interface FigureRange {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** A figure of the address; `undefined` if it is none. */
export function parseFigure(text: string | undefined): ChartFigure | undefined {
  const plain = plainFigures.find((one) => one === text);
  return plain ?? (text?.startsWith('score:') ? (text as ChartFigure) : undefined);
}

const scoreKeyOf = (figure: ChartFigure) => figure.slice('score:'.length);

/** The name of a figure in the chart. */
export function figureName(figure: ChartFigure): string {
  return figure.startsWith('score:') ? scoreKeyOf(figure) : figure;
}

const units = { latency: 'seconds', cost: 'dollars', tokens: 'tokens', calls: 'number' } as const;

function unitOf(figure: ChartFigure): Unit {
  return figure.startsWith('score:') ? 'number' : units[figure as PlainFigure];
}

/** A value of a figure as text. */
export function valueText(figure: ChartFigure, value: number): string {
  return amountText(value, unitOf(figure));
}

/** The axis of a figure: logarithmic for what is spent, from the least to the greatest value for scores. */
export function figureAxis(figure: ChartFigure, values: readonly number[]): ScatterAxis {
  const kind: AxisKind = figure.startsWith('score:') ? 'even' : 'log';
  return axisOf(kind, values);
}

/** Whether a value has a place on the axis of its figure: what a run did not spend has none. */
export function hasPlace(figure: ChartFigure, value: number): boolean {
  return figure.startsWith('score:') || value > 0;
}

const kindOf = (figure: ChartFigure): FilterKind =>
  figure.startsWith('score:') ? 'score' : (figure as PlainFigure);

/** The range that a view selects of a figure; absent if it selects by none. */
export function rangeOf({ filters }: View, figure: ChartFigure): FigureRange | undefined {
  const value = filters[kindOf(figure)].include.find((one) => isRangeOf(figure, one));
  if (value === undefined) return undefined;
  const text = figure.startsWith('score:') ? parseScoreRule(value).rule : value;
  const [from = '', to = ''] = text.split('..');
  return { from: numberOf(from), to: numberOf(to) };
}

/** A view that selects a range of a figure, or none. Other filters stay. */
export function withRange(view: View, figure: ChartFigure, range: FigureRange | undefined): View {
  const kind = kindOf(figure);
  const { include, exclude } = view.filters[kind];
  const others = include.filter((value) => !isRangeOf(figure, value));
  const isWhole = range === undefined || (range.from === undefined && range.to === undefined);
  const text = `${range?.from ?? ''}..${range?.to ?? ''}`;
  const value = kind === 'score' ? `${scoreKeyOf(figure)}:${text}` : text;
  return withChoice(view, kind, { include: isWhole ? others : [...others, value], exclude });
}

/** The filters of a view without its ranges of some figures, as a query of the API. */
export function queryAround(view: View, figures: readonly ChartFigure[]): string {
  return renderFilterQuery(
    figures.reduce((now, figure) => withRange(now, figure, undefined), view),
    [],
  );
}

function isRangeOf(figure: ChartFigure, value: string): boolean {
  if (!figure.startsWith('score:')) return value.includes('..');
  const { key, rule } = parseScoreRule(value);
  return key === scoreKeyOf(figure) && rule.includes('..');
}

function numberOf(text: string): number | undefined {
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? undefined : value;
}

/** Whether a value is in a range. */
export function isWithin({ from, to }: FigureRange, value: number): boolean {
  return (from === undefined || value >= from) && (to === undefined || value < to);
}

/** The range between two places of an axis; an end at the edge of the axis is open. */
export function rangeBetween(axis: ScatterAxis, one: number, other: number): FigureRange {
  const [low, high] = [Math.min(one, other), Math.max(one, other)];
  const rounded = (at: number) => Number(axis.valueAt(at).toPrecision(3));
  return { from: low <= 0 ? undefined : rounded(low), to: high >= 1 ? undefined : rounded(high) };
}

/** The places of the ends of a range on an axis, from 0 to 1. */
export function placesOf(axis: ScatterAxis, { from, to }: FigureRange): readonly [number, number] {
  const inside = (at: number) => Math.max(0, Math.min(1, at));
  return [
    from === undefined ? 0 : inside(axis.at(from)),
    to === undefined ? 1 : inside(axis.at(to)),
  ];
}
