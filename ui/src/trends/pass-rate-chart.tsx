import { type KeyboardEvent, type PointerEvent, useMemo, useRef } from 'react';
import type { Trend, TrendRun } from '../api/schema.js';
import { useMeasured } from '../browser/use-measured.js';
import { useNarrow } from '../browser/use-media.js';
import { classNames } from '../components/class-names.js';
import { counted, rateText } from '../components/figures/figures.js';
import { dayOf, momentText } from '../components/figures/time.js';
import { visibleText } from '../result/values/visible-text.js';
import styles from './pass-rate-chart.module.css';
import { type RunCursor, startOf } from './run-cursor.js';
import { RunTip, runWords } from './run-tip.js';
import {
  baselineAmong,
  LegendPicture,
  type Places,
  PlotCursor,
  placesIn,
  plotClass,
  type ShownBaseline,
  TrendPlot,
} from './trend-plot.js';
import { measureSeries, type Series } from './trend-series.js';

const heights = { wide: 236, narrow: 196 } as const;
const inset = { left: 6, right: 52, top: 16, bottom: 24 } as const;
/** Pixels that a run needs at least. */
const roomOfRun = { wide: 4, narrow: 16 } as const;

/** The pass rate of the runs; a slider goes from run to run, as the pointer does. */
export function PassRateChart({
  trend,
  runs: all,
  cursor,
}: {
  trend: Trend;
  runs: readonly TrendRun[];
  cursor: RunCursor;
}) {
  const isNarrow = useNarrow();
  const box = useRef<HTMLDivElement>(null);
  const width = useMeasured(box, (element) => element.clientWidth, 1000, []);
  const height = isNarrow ? heights.narrow : heights.wide;
  const room = isNarrow ? roomOfRun.narrow : roomOfRun.wide;
  const most = Math.max(2, 1 + Math.floor((width - inset.left - inset.right) / room));
  const runs = useMemo(() => all.slice(-most), [all, most]);
  const series = useMemo(() => measureSeries(trend.measures, 0, runs), [trend, runs]);
  const places = useMemo(
    () => series && placesIn(series, width, height, inset),
    [series, width, height],
  );
  const baseline = useMemo(() => baselineAmong(trend, runs), [trend, runs]);
  if (series === undefined || places === undefined) {
    return (
      <section className={styles.part}>
        <p className="quiet">No run has results with a verdict.</p>
      </section>
    );
  }
  const at = runs.findIndex(({ run_id }) => run_id === cursor.id);
  const shown = runs[at] ?? (isNarrow ? runs.at(-1) : undefined);
  return (
    <section className={styles.part} aria-label="Pass rate">
      <Caption trend={trend} runs={runs} series={series} />
      <div ref={box} className={styles.box}>
        <svg
          className={plotClass}
          width={width}
          height={height}
          role="img"
          aria-label={`Pass rate of the last ${counted(runs.length, 'run')}, now ${series.now}`}
        >
          <Rates series={series} places={places} baseline={baseline} />
          <Days runs={runs} places={places} />
          <TrendPlot series={series} runs={runs} places={places} baseline={baseline} />
          {baseline && <BaselineName baseline={baseline} places={places} />}
        </svg>
        {at >= 0 && <PlotCursor series={series} places={places} at={at} />}
        <RunSlider runs={runs} at={at} places={places} cursor={cursor} measures={trend.measures} />
        {shown && !isNarrow && (
          <RunTip
            run={shown}
            measures={trend.measures}
            place={
              places.x(at) > width / 2
                ? { right: width - places.x(at) + 12 }
                : { left: places.x(at) + 12 }
            }
          />
        )}
      </div>
      {shown && isNarrow && <RunTip run={shown} measures={trend.measures} />}
    </section>
  );
}

/** The newest figures, and what the drawing means. */
function Caption({
  trend: { runs: all, measures, config_name, no_limits },
  runs,
  series,
}: {
  trend: Trend;
  runs: readonly TrendRun[];
  series: Series;
}) {
  const newest = all.findLast(({ on_line, figures }) => on_line && figures[0]);
  const apart = new Set(runs.filter(({ on_line }) => !on_line).map((run) => run.config_name));
  const [other] = apart;
  const { change } = series;
  const has = (is: (point: NonNullable<Series['points'][number]>) => unknown) =>
    series.points.some((point) => point !== null && is(point));
  return (
    <div className={styles.caption}>
      <h2>{visibleText(measures[0]?.name ?? '')}</h2>
      <b className={styles.now}>{series.now}</b>
      {newest?.figures[0]?.low != null && <span>{series.interval}</span>}
      <span className="faint">
        {change && newest?.previous ? (
          <>
            <span className={change.verdict}>{change.text}</span> since{' '}
            {visibleText(newest.previous.run_name)}
            {change.verdict === undefined ? ', may be chance' : ', beyond chance'}
          </>
        ) : (
          newest?.no_previous
        )}
      </span>
      <ul className={styles.legend} aria-label="Legend">
        <li>
          <LegendPicture of="line" />
          <span className={styles.named}>
            <span className={classNames('cut', styles.config)}>
              {visibleText(config_name ?? '')}
            </span>
            , 95 %
          </span>
        </li>
        {no_limits === undefined && has(({ limits }) => limits) && (
          <li title="Where 95 of 100 runs of an unchanged system lie">
            <LegendPicture of="limits" />
            limits
          </li>
        )}
        {has(({ isOutside }) => isOutside) && (
          <li>
            <LegendPicture of="outside" />
            outside
          </li>
        )}
        {apart.size > 0 && (
          <li title="Another config, other params or cases, or not finished">
            <LegendPicture of="apart" />
            <span className={classNames('cut', styles.config)}>
              {apart.size === 1 && other !== config_name
                ? visibleText(other ?? '')
                : 'not on the line'}
            </span>
          </li>
        )}
        {has(({ drift }) => drift) && (
          <li title="A slow drift, which no single step shows">
            <LegendPicture of="drift" />
            slow drift
          </li>
        )}
        <li>
          <LegendPicture of="better" />
          <LegendPicture of="worse" />
          beyond chance against the run before
        </li>
      </ul>
    </div>
  );
}

/** Pixels below which two names of the axis run into each other. */
const nameHeight = 12;

/** Lines at whole tenths; the level of the baseline has its own name. */
function Rates({
  series: { axis, points },
  places: { y, right },
  baseline,
}: {
  series: Series;
  places: Places;
  baseline: ShownBaseline | undefined;
}) {
  const level = baseline && points[baseline.at]?.value;
  const every = axis.ticks.length > 7 ? 2 : 1;
  const ticks = axis.ticks.filter((_, n, all) => (all.length - 1 - n) % every === 0);
  const isFree = (value: number) =>
    level === undefined || Math.abs(y(value) - y(level)) >= nameHeight;
  return (
    <g aria-hidden="true">
      {ticks.map(({ value }) => (
        <g key={value}>
          <path className={styles.grid} d={`M0 ${y(value)}H${right + 6}`} />
          {isFree(value) && (
            <text x={right + 14} y={y(value) + 3.5}>
              {Math.round(value * 100)}
              {value === ticks.at(-1)?.value && ' %'}
            </text>
          )}
        </g>
      ))}
      {level !== undefined && (
        <text className={styles.level} x={right + 14} y={y(level) + 3.5}>
          {rateText(level).replace(' %', '')}
        </text>
      )}
    </g>
  );
}

/** Pixels that the name of a day needs, of a session within one day the time, too. */
const dayRoom = { day: 96, moment: 120 } as const;

/** A tick for each run, longer where a day begins, and the names of some of the days. */
function Days({
  runs,
  places: { x, right, bottom },
}: {
  runs: readonly TrendRun[];
  places: Places;
}) {
  const days = runs.map(({ started_at }) => dayOf(new Date(started_at * 1000)));
  const isOneDay = new Set(days).size === 1;
  const room = isOneDay ? dayRoom.moment : dayRoom.day;
  const ticks = runs.map((_, at) => {
    const isNew = days[at] !== days[at - 1];
    return `M${x(at)} ${bottom}v${isNew && !isOneDay ? 5 : 2}`;
  });
  const last = runs.length - 1;
  const named = [0];
  for (let at = 1; at < last; at += 1) {
    const isApart = x(at) - x(named.at(-1) ?? 0) >= room && x(last) - x(at) >= room;
    if (isApart && (isOneDay || days[at] !== days[at - 1])) named.push(at);
  }
  if (last > 0 && x(last) - x(named.at(-1) ?? 0) >= room) named.push(last);
  return (
    <g aria-hidden="true">
      <path className={styles.ticks} d={`M0 ${bottom + 0.5}H${right + 6}${ticks.join('')}`} />
      {named.map((at) => {
        const run = runs[at];
        return (
          run && (
            <text
              key={run.run_id}
              x={x(at)}
              y={bottom + 19}
              textAnchor={
                at === 0 && last > 0 ? 'start' : at === last && last > 0 ? 'end' : 'middle'
              }
            >
              {isOneDay ? momentText(new Date(run.started_at * 1000)) : days[at]}
            </text>
          )
        );
      })}
    </g>
  );
}

function BaselineName({
  baseline: { at, run },
  places,
}: {
  baseline: ShownBaseline;
  places: Places;
}) {
  const isLate = places.x(at) > places.right * 0.7;
  return (
    <text
      className={styles.baseline}
      x={places.x(at) + (isLate ? -6 : 6)}
      y={places.top - 2}
      textAnchor={isLate ? 'end' : 'start'}
    >
      baseline {visibleText(run.run_name)}
    </text>
  );
}

/** Goes from run to run with arrows, and with the pointer over the chart. */
function RunSlider({
  runs,
  at,
  places,
  cursor,
  measures,
}: {
  runs: readonly TrendRun[];
  at: number;
  places: Places;
  cursor: RunCursor;
  measures: Trend['measures'];
}) {
  const last = runs.length - 1;
  const now = at < 0 ? last : at;
  const run = runs[now];
  const go = (to: number) => cursor.set(runs[Math.max(0, Math.min(last, to))]?.run_id);
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ...{ ArrowLeft: now - 1, ArrowRight: now + 1, PageUp: now + 10, PageDown: now - 10 },
      ...{ Home: 0, End: last },
    };
    const to = moves[event.key];
    if (to !== undefined) go(to);
    else if (event.key === 'Enter' && run) cursor.open(run.run_id);
    else return;
    event.preventDefault();
  };
  const onPoint = (event: PointerEvent<HTMLElement>) => go(places.runAt(startOf(event)));
  return (
    <div
      role="slider"
      tabIndex={0}
      className={styles.slider}
      aria-label="Run"
      aria-valuemin={1}
      aria-valuemax={runs.length}
      aria-valuenow={now + 1}
      aria-valuetext={run && runWords(run, measures)}
      onKeyDown={onKeyDown}
      onFocus={() => go(now)}
      onBlur={() => cursor.set(undefined)}
      onPointerMove={onPoint}
      onPointerDown={onPoint}
      onPointerLeave={cursor.leave}
      onClick={({ nativeEvent }) => {
        // A finger only looks.
        if ((nativeEvent as { pointerType?: string }).pointerType !== 'touch' && run) {
          cursor.open(run.run_id);
        }
      }}
    />
  );
}
