import { memo } from 'react';
import type { Trend, TrendRun } from '../api/schema.js';
import { classNames } from '../components/class-names.js';
import styles from './trend-plot.module.css';
import { partsOf, type Series, type SeriesPoint } from './trend-series.js';

/** Pixels around a plot. */
export interface Inset {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where runs and values are in a plot, in pixels. */
export interface Places {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  x(at: number): number;
  y(value: number): number;
  /** The run nearest to a place. */
  runAt(x: number): number;
}

/** The places in a plot of some size: runs in their order, not by time. */
export function placesIn(
  { axis, points }: Series,
  width: number,
  height: number,
  inset: Inset,
): Places {
  const [left, right] = [inset.left, width - inset.right];
  const [top, bottom] = [inset.top, height - inset.bottom];
  const last = points.length - 1;
  const step = last > 0 ? (right - left) / last : 0;
  return {
    ...{ left, right, top, bottom },
    x: (at) => (last > 0 ? left + at * step : (left + right) / 2),
    y: (value) => bottom - axis.at(value) * (bottom - top),
    runAt: (x) => (last > 0 ? Math.max(0, Math.min(last, Math.round((x - left) / step))) : 0),
  };
}

interface PlotProps {
  readonly series: Series;
  readonly runs: readonly TrendRun[];
  readonly places: Places;
  /** `undefined` where nothing counts from one, or it is not among the runs. */
  readonly baseline: ShownBaseline | undefined;
  readonly isSmall?: boolean;
}

/** The run from which limits count on, and its place among the shown ones. */
export interface ShownBaseline {
  readonly at: number;
  readonly run: NonNullable<Trend['baseline']>;
}

/** The baseline of a trend if it is among some of its runs, and anything counts from it. */
export function baselineAmong(
  { baseline: run, no_limits }: Trend,
  runs: readonly TrendRun[],
): ShownBaseline | undefined {
  const at = runs.findIndex(({ run_id }) => run_id === run?.run_id);
  return run === null || no_limits !== undefined || at < 0 ? undefined : { at, run };
}

/** A line with its interval, the limits, the level of the baseline, and a mark where a change is beyond chance or a drift shows. */
export const TrendPlot = memo(function TrendPlot({
  series: { points },
  runs,
  places,
  baseline,
  isSmall = false,
}: PlotProps) {
  const { x, y } = places;
  const parts = partsOf(points, runs);
  const line = parts.flatMap((part) => part.map(([at]) => at));
  const level = baseline && points[baseline.at];
  const path = (part: readonly (readonly [number, SeriesPoint])[]) =>
    `M${part.map(([at, { value }]) => `${round(x(at))} ${round(y(value))}`).join('L')}`;
  return (
    <>
      {bandsOf(parts, places).map((d) => (
        <path key={d} className={styles.band} d={d} />
      ))}
      {(['low', 'high'] as const).map((side) => (
        <path key={side} className={styles.limit} d={limitPath(points, runs, places, side)} />
      ))}
      {baseline && level && (
        <>
          <path
            className={styles.level}
            d={`M${x(baseline.at)} ${y(level.value)}H${places.right}`}
          />
          <path
            className={styles.baseline}
            d={`M${x(baseline.at)} ${places.top - 8}V${places.bottom}`}
          />
        </>
      )}
      <path className={styles.line} d={parts.map(path).join('')} />
      {points.map((point, at) => {
        const run = runs[at];
        if (point === null || run === undefined) return null;
        const isLast = at === line.at(-1);
        // A line of many runs is all that a small chart has room for.
        if (isSmall && run.on_line && !isLast && parts.some((part) => part.length > 1)) return null;
        return (
          <PointMark
            key={run.run_id}
            point={point}
            isOnLine={run.on_line}
            size={isLast ? (isSmall ? 2.6 : 3.4) : isSmall ? 2 : 1.9}
            {...{ isSmall, x: x(at), y: y(point.value) }}
          />
        );
      })}
      {points.map((point, at) => {
        const run = runs[at];
        if (point === null || run === undefined || !(point.change || point.drift)) return null;
        return <Marks key={run.run_id} {...{ point, places, isSmall }} x={x(at)} />;
      })}
    </>
  );
});

/** Filled on the line, a square where it is outside of its limits; hollow beside the line. */
function PointMark({
  point: { isOutside },
  isOnLine,
  isSmall,
  size,
  x,
  y,
}: {
  point: SeriesPoint;
  isOnLine: boolean;
  isSmall: boolean;
  size: number;
  x: number;
  y: number;
}) {
  if (!isOnLine)
    return (
      <circle className={styles.apart} data-mark="apart" cx={x} cy={y} r={isSmall ? 2 : 3.2} />
    );
  if (isOutside && !isSmall) {
    return (
      <rect
        className={styles.point}
        data-mark="outside"
        x={x - size - 1}
        y={y - size - 1}
        width={2 * size + 2}
        height={2 * size + 2}
      />
    );
  }
  return <circle className={styles.point} cx={x} cy={y} r={size} />;
}

/** What is beyond chance, outside of the band: above it for what went up, below it for what went down. */
function Marks({
  point: { value, low, high, change, drift },
  places: { y, top, bottom },
  x,
  isSmall,
}: {
  point: SeriesPoint;
  places: Places;
  x: number;
  isSmall: boolean;
}) {
  const isUp = (change?.to ?? drift) === 'up';
  const away = isUp ? -1 : 1;
  const scale = isSmall ? 0.78 : 1;
  const start = y((isUp ? high : low) ?? value) + away * 5;
  const room = change && drift ? 20 : 9;
  // Never beyond the plot, where it would be cut.
  const at = Math.max(top - 8 + room * scale, Math.min(bottom - room * scale, start));
  return (
    <>
      {change && (
        <path
          className={change.verdict === 'better' ? styles.better : styles.worse}
          data-mark={change.verdict}
          transform={`translate(${round(x)} ${round(at)}) scale(${scale} ${-away * scale})`}
          d="M-4.5 0h9l-4.5-8z"
        />
      )}
      {drift && (
        <DriftArrow drift={drift} x={x} y={at + away * (change ? 14 : 4) * scale} scale={scale} />
      )}
    </>
  );
}

/** The mark of a slow drift. */
function DriftArrow({
  drift,
  x,
  y,
  scale = 1,
}: {
  drift: 'up' | 'down';
  x: number;
  y: number;
  scale?: number;
}) {
  return (
    <path
      className={styles.drift}
      data-mark="drift"
      transform={`translate(${round(x)} ${round(y)}) scale(${scale} ${drift === 'up' ? scale : -scale})`}
      d="M-4.5 3.5 3.5-3.5M-1.5-3.5h5v5"
    />
  );
}

/** The run that is looked at. Not a part of the drawing, which would be painted again wherever the pointer goes. */
export function PlotCursor({
  series: { points },
  places: { x, y, top, bottom },
  at,
  isSmall = false,
}: {
  series: Series;
  places: Places;
  at: number;
  isSmall?: boolean;
}) {
  const point = points[at];
  const move = (top: number) => ({ transform: `translate(${round(x(at))}px, ${round(top)}px)` });
  return (
    <>
      <i className={styles.cursor} style={{ ...move(top - 8), height: bottom - top + 8 }} />
      {point && !isSmall && <i className={styles.ring} style={move(y(point.value))} />}
    </>
  );
}

type Parts = ReturnType<typeof partsOf<SeriesPoint>>;

/** The intervals of neighbours, as areas. */
function bandsOf(parts: Parts, { x, y }: Places): string[] {
  const bands = parts.flatMap((part) =>
    partsOf(
      part.map(([at, { low, high }]) => (low === null || high === null ? null : { at, low, high })),
      part.map(() => ({ on_line: true })),
    ),
  );
  return bands.map((band) => {
    const side = (of: 'low' | 'high') =>
      band.map(([, point]) => `${round(x(point.at))} ${round(y(point[of]))}`);
    return `M${[...side('high'), ...side('low').reverse()].join('L')}Z`;
  });
}

function limitPath(
  points: readonly (SeriesPoint | null)[],
  runs: readonly TrendRun[],
  { x, y }: Places,
  side: 'low' | 'high',
): string {
  const values = points.map((point) => point?.limits?.[side] ?? null);
  return partsOf(values, runs)
    .map((part) => `M${part.map(([at, value]) => `${round(x(at))} ${round(y(value))}`).join('L')}`)
    .join('');
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;

/** A legend's picture of a line with its band, of the limits, or of a mark. */
export function LegendPicture({
  of,
}: {
  of: 'line' | 'joined' | 'limits' | 'apart' | 'outside' | 'better' | 'worse' | 'drift';
}) {
  const isWide = of === 'line' || of === 'limits';
  return (
    <svg
      className={classNames(styles.plot, styles.picture)}
      width={isWide ? 28 : 10}
      height="10"
      aria-hidden="true"
    >
      {of === 'line' && <path className={styles.band} d="M0 1h28v8H0z" />}
      {of === 'line' && <path className={styles.line} d="M0 5h28" />}
      {of === 'limits' && <path className={styles.limit} d="M0 1.5h28M0 8.5h28" />}
      {of === 'joined' && <circle className={styles.joined} cx="5" cy="5" r="2.2" />}
      {of === 'apart' && <circle className={styles.apart} cx="5" cy="5" r="3.2" />}
      {of === 'outside' && <rect className={styles.point} x="2" y="2" width="6" height="6" />}
      {of === 'better' && <path className={styles.better} d="M.5 9h9l-4.5-8z" />}
      {of === 'worse' && <path className={styles.worse} d="M.5 1h9l-4.5 8z" />}
      {of === 'drift' && <DriftArrow drift="up" x={5.5} y={5} />}
    </svg>
  );
}

/** The class of a drawing. */
export const plotClass = styles.plot ?? '';
