import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import type { RowFigureList } from '../../api/schema.js';
import { useNarrow } from '../../browser/use-media.js';
import { counted } from '../../components/figures/figures.js';
import { Ruler } from '../../matrix/scatter.js';
import type { ScatterAxis } from '../../matrix/scatter-scale.js';
import { useView } from '../use-view.js';
import {
  type ChartFigure,
  type FigureRange,
  figureName,
  isWithin,
  placesOf,
  rangeBetween,
  valueText,
  withRange,
} from './chart-figures.js';
import styles from './chart-panel.module.css';

/** A result in the chart. */
export interface ChartPoint {
  readonly standing: RowFigureList['standings'][number];
  readonly x: number;
  /** Absent in a histogram. */
  readonly y: number | undefined;
}

/** An axis with the number it is of. */
export interface ChartAxis {
  readonly figure: ChartFigure;
  readonly scale: ScatterAxis;
}

/** The ranges that the view selects. */
interface Ranges {
  readonly x: FigureRange | undefined;
  readonly y: FigureRange | undefined;
}

/** A selected part of the plot; places from 0 to 1. */
interface Box {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

const inset = { left: 58, right: 12, top: 10, bottom: 24 } as const;
const heights = { wide: 220, narrow: 248 } as const;
const whole = [0, 1] as const;

interface PlotProps {
  readonly points: readonly ChartPoint[];
  readonly x: ChartAxis;
  /** Absent for a histogram of `x`. */
  readonly y: ChartAxis | undefined;
  readonly ranges: Ranges;
  readonly width: number;
}

/** Points, or bars, with a brush that pointer and keys draw. */
export function Plot({ points, x, y, ranges, width }: PlotProps) {
  const height = useNarrow() ? heights.narrow : heights.wide;
  const right = width - inset.right;
  const bottom = height - inset.bottom;
  const size = { width: right - inset.left, height: bottom - inset.top };
  const across = (at: number) => inset.left + at * size.width;
  const upwards = (at: number) => bottom - at * size.height;
  const brush = useBrush({ x, y, ranges, size });
  const names =
    y === undefined
      ? figureName(x.figure)
      : `${figureName(y.figure)} against ${figureName(x.figure)}`;
  return (
    <svg
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the brush takes keys.
      tabIndex={0}
      aria-label={`${counted(points.length, 'result')}: ${names}. Enter begins a selection, arrows move it, with Shift they size it, Escape clears it.`}
      className={styles.drawing}
      width={width}
      height={height}
      {...brush.handlers}
    >
      {y?.scale.ticks
        .filter(({ isNamed }, n, all) => isNamed && (all.length <= 6 || n % 2 === 0))
        .map(({ value, at }) => (
          <g key={value}>
            <path className={styles.grid} d={`M${inset.left} ${upwards(at)}H${right}`} />
            <text x={inset.left - 8} y={upwards(at) + 3.5} textAnchor="end">
              {valueText(y.figure, value)}
            </text>
          </g>
        ))}
      {brush.box && (
        <rect
          className={styles.brush}
          x={across(brush.box.x[0])}
          y={upwards(brush.box.y[1])}
          width={(brush.box.x[1] - brush.box.x[0]) * size.width}
          height={(brush.box.y[1] - brush.box.y[0]) * size.height}
        />
      )}
      {y === undefined ? (
        <Bars {...{ points, x, ranges, across, bottom, size }} />
      ) : (
        <Points
          {...{ points, ranges }}
          place={(point) => [across(x.scale.at(point.x)), upwards(y.scale.at(point.y ?? 0))]}
        />
      )}
      <Ruler
        axis={thinned(x.scale, size.width)}
        x={(value) => across(x.scale.at(value))}
        left={inset.left}
        right={right}
        bottom={bottom}
        text={(value) => valueText(x.figure, value)}
      />
    </svg>
  );
}

/** Pixels that the name of a mark needs. */
const nameRoom = 52;

/** An axis of whose marks only those with room have names. */
function thinned(axis: ScatterAxis, width: number): ScatterAxis {
  let next = Number.NEGATIVE_INFINITY;
  const ticks = axis.ticks.map((tick) => {
    const isNamed = tick.isNamed && tick.at * width >= next;
    if (isNamed) next = tick.at * width + nameRoom;
    return { ...tick, isNamed };
  });
  return { ...axis, ticks };
}

const looks = ['passed', 'failed', 'error', 'other'] as const;
type Look = (typeof looks)[number];

function lookOf({ standing }: ChartPoint): Look {
  return looks.find((look) => look === standing) ?? 'other';
}

function isInside({ x, y }: Ranges, point: ChartPoint): boolean {
  return (
    (x === undefined || isWithin(x, point.x)) && (y === undefined || isWithin(y, point.y ?? 0))
  );
}

const isDimmed = (ranges: Ranges) => ranges.x !== undefined || ranges.y !== undefined;

/** The mark of a result around its place: a ring, a square, a triangle, a dash. */
const marks: Readonly<Record<Look, string>> = {
  passed: 'm-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
  failed: 'm-2.5-2.5h5v5h-5z',
  error: 'm0-3.5 3.5 6h-7z',
  other: 'm-3 0h6',
};

/** All points of one look as one path: ten thousand elements would be slow. Failures are drawn last. */
function Points({
  points,
  ranges,
  place,
}: {
  points: readonly ChartPoint[];
  ranges: Ranges;
  place: (point: ChartPoint) => readonly [number, number];
}) {
  const paths = new Map<string, Set<string>>();
  const hasBrush = isDimmed(ranges);
  for (const point of points) {
    const look = lookOf(point);
    const name = `${look} ${hasBrush && !isInside(ranges, point) ? styles.dim : ''}`;
    const [x, y] = place(point);
    // Results at one place are one mark.
    const mark = `M${Math.round(x)} ${Math.round(y)}${marks[look]}`;
    const its = paths.get(name) ?? new Set();
    paths.set(name, its.add(mark));
  }
  const rank = (name: string) =>
    ['other', 'passed', 'failed', 'error'].indexOf(name.split(' ')[0] ?? '');
  return [...paths]
    .sort(([a], [b]) => rank(a) - rank(b))
    .map(([name, its]) => {
      const [look = 'other', dim = ''] = name.split(' ');
      return <path key={name} className={`${styles[look]} ${dim}`} d={[...its].join('')} />;
    });
}

const bins = 40;

/** A histogram: failures stand on what passed. */
function Bars({
  points,
  x,
  ranges,
  across,
  bottom,
  size,
}: {
  points: readonly ChartPoint[];
  x: ChartAxis;
  ranges: Ranges;
  across: (at: number) => number;
  bottom: number;
  size: { readonly height: number };
}) {
  const counts = Array.from({ length: bins }, () => ({ passed: 0, failed: 0, error: 0, other: 0 }));
  for (const point of points) {
    const at = Math.max(0, Math.min(bins - 1, Math.floor(x.scale.at(point.x) * bins)));
    const bin = counts[at];
    if (bin) bin[lookOf(point)] += 1;
  }
  const sum = (bin: Readonly<Record<Look, number>>) =>
    looks.reduce((all, look) => all + bin[look], 0);
  const most = Math.max(...counts.map(sum));
  const width = across(1 / bins) - across(0) - 1;
  return counts.map((bin, n) => {
    const middle = x.scale.valueAt((n + 0.5) / bins);
    const isDim = ranges.x !== undefined && !isWithin(ranges.x, middle);
    let top = bottom;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place.
      <g key={n} className={isDim ? styles.dim : undefined}>
        <title>{`${valueText(x.figure, x.scale.valueAt(n / bins))} to ${valueText(x.figure, x.scale.valueAt((n + 1) / bins))}: ${counted(sum(bin), 'result')}, ${bin.failed + bin.error} failed`}</title>
        {looks.map((look) => {
          const height = (bin[look] / most) * size.height;
          top -= height;
          return (
            height > 0 && (
              <rect
                key={look}
                className={styles[`${look}Bar`]}
                x={across(n / bins)}
                y={top}
                width={width}
                height={height}
              />
            )
          );
        })}
      </g>
    );
  });
}

/** How far a key moves the brush, and how wide one begins. */
const keyStep = 0.02;
const first: readonly [number, number] = [0.3, 0.7];
/** A shorter way of the pointer is a click, which clears the brush. */
const leastDrag = 0.008;

/** Draws the selected part by pointer and keys; what it selects is in the view, and so in the address. */
function useBrush({
  x,
  y,
  ranges,
  size,
}: Pick<PlotProps, 'x' | 'y' | 'ranges'> & {
  size: { readonly width: number; readonly height: number };
}) {
  const [, setView] = useView();
  const [drag, setDrag] = useState<{
    readonly from: readonly [number, number];
    readonly box: Box;
  }>();
  const chosen: Box | undefined = isDimmed(ranges)
    ? {
        x: ranges.x === undefined ? whole : placesOf(x.scale, ranges.x),
        y: ranges.y === undefined || y === undefined ? whole : placesOf(y.scale, ranges.y),
      }
    : undefined;
  const select = (box: Box | undefined) =>
    setView(
      (now) => {
        const next = withRange(now, x.figure, box && rangeBetween(x.scale, ...box.x));
        return y === undefined
          ? next
          : withRange(next, y.figure, box && rangeBetween(y.scale, ...box.y));
      },
      { replace: true },
    );
  const placeOf = ({ currentTarget, clientX, clientY }: PointerEvent): [number, number] => {
    const { left, top } = currentTarget.getBoundingClientRect();
    const within = (at: number) => Math.max(0, Math.min(1, at));
    return [
      within((clientX - left - inset.left) / size.width),
      within(1 - (clientY - top - inset.top) / size.height),
    ];
  };
  const boxTo = (from: readonly [number, number], to: readonly [number, number]): Box => ({
    x: [Math.min(from[0], to[0]), Math.max(from[0], to[0])],
    y: y === undefined ? whole : [Math.min(from[1], to[1]), Math.max(from[1], to[1])],
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const way = ways[event.key as keyof typeof ways];
    if (event.key === 'Escape') {
      if (chosen === undefined) return;
      select(undefined);
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (chosen === undefined) select({ x: first, y: y === undefined ? whole : first });
    } else if (way !== undefined) {
      const now = chosen ?? { x: first, y: y === undefined ? whole : first };
      const [right = 0, up = 0] = way;
      select({
        x: moved(now.x, right * keyStep, event.shiftKey),
        y: y === undefined ? whole : moved(now.y, up * keyStep, event.shiftKey),
      });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return {
    box: drag?.box ?? chosen,
    handlers: {
      onKeyDown,
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        const from = placeOf(event);
        setDrag({ from, box: boxTo(from, from) });
      },
      onPointerMove: (event: PointerEvent) => {
        if (drag) setDrag({ from: drag.from, box: boxTo(drag.from, placeOf(event)) });
      },
      onPointerUp: () => {
        if (drag === undefined) return;
        const { box } = drag;
        setDrag(undefined);
        const isClick = box.x[1] - box.x[0] < leastDrag;
        select(isClick ? undefined : box);
      },
      onPointerCancel: () => setDrag(undefined),
    },
  };
}

/** Moves both ends, or the second one alone. */
function moved(
  [low, high]: readonly [number, number],
  by: number,
  isSize: boolean,
): [number, number] {
  if (isSize) return [low, Math.max(low + keyStep, Math.min(1, high + by))];
  const step = Math.max(-low, Math.min(1 - high, by));
  return [low + step, high + step];
}
