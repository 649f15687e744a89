import { useMemo, useRef } from 'react';
import type { Trend, TrendRun } from '../api/schema.js';
import { useMeasured } from '../browser/use-measured.js';
import { useNarrow } from '../browser/use-media.js';
import { classNames } from '../components/class-names.js';
import { counted } from '../components/figures/figures.js';
import { MiddleCut } from '../components/names/middle-cut.js';
import { ShowAll } from '../result/values/shown-part.js';
import { visibleText } from '../result/values/visible-text.js';
import { type RunCursor, startOf } from './run-cursor.js';
import styles from './small-charts.module.css';
import { baselineAmong, PlotCursor, placesIn, plotClass, TrendPlot } from './trend-plot.js';
import { amountSeries, measureSeries, type Series } from './trend-series.js';

/** Scores shown at first. */
const fewScores = 12;

const inset = { left: 3, right: 4, top: 12, bottom: 5 } as const;
const heights = { score: 78, amount: 70, narrow: 62 } as const;

interface ChartsProps {
  readonly trend: Trend;
  readonly runs: readonly TrendRun[];
  readonly cursor: RunCursor;
}

/** Scores, each on a scale of its own, then cost and p95 latency. */
export function SmallCharts({
  isAll,
  onAll,
  ...rest
}: ChartsProps & { readonly isAll: boolean; readonly onAll: () => void }) {
  const { trend, runs } = rest;
  const scores = useMemo(
    () =>
      trend.measures.flatMap((_, at) =>
        at === 0 ? [] : (measureSeries(trend.measures, at, runs) ?? []),
      ),
    [trend, runs],
  );
  const amounts = useMemo(() => amountSeries(runs), [runs]);
  const shown = isAll ? scores : scores.slice(0, fewScores);
  return (
    <>
      {shown.length > 0 && (
        <section className={styles.scores} aria-label="Scores">
          {shown.map((series) => (
            <SmallChart key={series.id} series={series} isScore {...rest} />
          ))}
        </section>
      )}
      {shown.length < scores.length && (
        <p className={styles.more}>
          <ShowAll count={scores.length} noun="scores" onClick={onAll} />
        </p>
      )}
      {amounts.length > 0 && (
        <section className={styles.amounts} aria-label="Cost and latency">
          {amounts.map((series) => (
            <SmallChart key={series.id} series={series} {...rest} />
          ))}
        </section>
      )}
    </>
  );
}

function SmallChart({
  trend,
  runs,
  series,
  isScore = false,
  cursor,
}: ChartsProps & { readonly series: Series; readonly isScore?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useMeasured(box, (element) => element.clientWidth, 214, []);
  const isNarrow = useNarrow();
  const height = isNarrow ? heights.narrow : isScore ? heights.score : heights.amount;
  const places = useMemo(() => placesIn(series, width, height, inset), [series, width, height]);
  const baseline = useMemo(() => baselineAmong(trend, runs), [trend, runs]);
  const at = runs.findIndex(({ run_id }) => run_id === cursor.id);
  const { name, now, change, range } = series;
  return (
    <figure className={styles.small}>
      <figcaption>
        <span className={classNames(styles.name, isScore && 'mono')} title={name}>
          <MiddleCut text={visibleText(name)} />
        </span>
        <b>{now}</b>
        {change && <span className={change.verdict ?? 'faint'}>{change.text}</span>}
        <span className={styles.range}>{range}</span>
      </figcaption>
      <div
        ref={box}
        className={styles.box}
        onPointerMove={(event) => cursor.set(runs[places.runAt(startOf(event))]?.run_id)}
        onPointerLeave={cursor.leave}
      >
        <svg
          className={plotClass}
          width={width}
          height={height}
          role="img"
          aria-label={`${name} over ${counted(runs.length, 'run')}, ${range}, now ${now}`}
        >
          <TrendPlot {...{ series, runs, places, baseline }} isSmall />
        </svg>
        {at >= 0 && <PlotCursor series={series} places={places} at={at} isSmall />}
      </div>
    </figure>
  );
}
