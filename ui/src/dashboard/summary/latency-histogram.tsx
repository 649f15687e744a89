import { type KeyboardEvent, useState } from 'react';
import type { RowSummary } from '../../api/schema.js';
import { useMedia } from '../../browser/use-media.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { counted, count as countText, duration } from '../../components/figures/figures.js';
import { useFigures } from '../dashboard-state.js';
import { bucketRange, bucketText } from '../filters/filter-values.js';
import { useFilter, useView } from '../use-view.js';
import { isChosen } from '../view-state.js';
import {
  type Bucket,
  joinBuckets,
  type LatencyAxis,
  latencyAxis,
  type MarkLabel,
  placeLabels,
  sumBuckets,
} from './latency-axis.js';
import styles from './latency-histogram.module.css';

type Latency = RowSummary['latency'];

interface Size {
  /** Pixels from the top of the drawing: highest top of a bar, and the baseline. */
  readonly top: number;
  readonly ground: number;
  /** The smallest share of the axis that can be hit where the drawing is narrowest: 24 pixels. */
  readonly least: number;
}
const usual: Size = { top: 32, ground: 104, least: 1 / 12 };
/** Without axis and marks. */
const small: Size = { top: 0, ground: 35, least: 1 / 8 };

/** Histogram of latencies; a click on bars filters by them. */
export function LatencyHistogram() {
  const { latency, facets } = useFigures().summary;
  const [{ filters }] = useView();
  const [isOpen, setOpen] = useState(false);
  const { count, replayed = 0, average, p50, p95, histogram } = latency;
  const isSmall = useMedia('(min-width: 641px) and (max-width: 900px)');
  const left = replayed > 0 ? `${countText(replayed)} replayed` : undefined;
  // What a filter of origins leaves is not counted by origin.
  const origins = isChosen(filters.origin) ? [] : facets.origin;
  const carried = origins.find(({ value }) => value === 'carried')?.count ?? 0;
  const taken = carried > 0 ? `${countText(carried)} carried` : undefined;
  if (count === 0 || average === null) {
    return (
      <div className={styles.latency}>
        {left !== undefined && (
          <div className={styles.caption}>
            <b>Latency</b>
            <span className={styles.rest}>{left}</span>
          </div>
        )}
      </div>
    );
  }
  if (isSmall) {
    return (
      <div className={styles.latency}>
        <div className={styles.caption}>
          <b className={styles.p50}>p50 {duration(p50 ?? 0)}</b>
          <span>p95 {duration(p95 ?? 0)}</span>
        </div>
        <Histogram latency={latency} axis={latencyAxis(histogram)} isSmall />
      </div>
    );
  }
  return (
    <div className={styles.latency}>
      <div className={styles.caption}>
        <b>Latency</b>
        <span>mean {duration(average)}</span>
        <span className={styles.total}>
          {[counted(count, 'result'), taken, left].filter(Boolean).join(', ')}
        </span>
        <span className={styles.narrow}>
          p50 {duration(p50 ?? 0)}, p95 {duration(p95 ?? 0)}
        </span>
        <IconButton
          icon="down"
          small
          className={styles.narrow}
          label={isOpen ? 'Hide histogram' : 'Show histogram'}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      <div className={classNames(!isOpen && styles.closed)}>
        <Histogram latency={latency} axis={latencyAxis(histogram)} />
      </div>
    </div>
  );
}

function Histogram({
  latency,
  axis,
  isSmall = false,
}: {
  latency: Latency;
  axis: LatencyAxis;
  isSmall?: boolean;
}) {
  const { count, p50, p95, histogram } = latency;
  const label =
    p50 === null || p95 === null
      ? ''
      : `: half under ${duration(p50)}, 95 in 100 under ${duration(p95)}`;
  return (
    <svg
      role="group"
      className={classNames(styles.histogram, isSmall && styles.small)}
      aria-label={`Latency of ${counted(count, 'result')}${label}`}
      onKeyDown={moveFocus}
    >
      <Bars histogram={histogram} axis={axis} size={isSmall ? small : usual} />
      {!isSmall && <Axis axis={axis} />}
      {!isSmall && p50 !== null && p95 !== null && <LatencyMarks axis={axis} p50={p50} p95={p95} />}
    </svg>
  );
}

/** Moves the focus among the buttons of bars. */
function moveFocus(event: KeyboardEvent<SVGElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll<SVGElement>('[role=button]')];
  const now = buttons.indexOf(event.target as SVGElement);
  const places = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: buttons.length - 1 };
  const place = places[event.key as keyof typeof places];
  if (place === undefined) return;
  event.preventDefault();
  buttons[place]?.focus();
}

/** The bars; neighbours that are too narrow to be hit are one button. */
function Bars({
  histogram,
  axis,
  size,
}: {
  histogram: Latency['histogram'];
  axis: LatencyAxis;
  size: Size;
}) {
  const [focused, setFocused] = useState<number>();
  const groups = joinBuckets(histogram, axis.bucketWidth, size.least).filter(hasResults);
  const starts = groups.map(([first]) => first?.from);
  const tabStop = starts.includes(focused) ? focused : starts[0];
  const most = Math.max(...histogram.map((bucket) => bucket.count));
  return groups.map((buckets) => (
    <BarGroup
      key={buckets[0]?.from}
      buckets={buckets}
      isTabStop={buckets[0]?.from === tabStop}
      onFocus={() => setFocused(buckets[0]?.from)}
      {...{ axis, size, most }}
    />
  ));
}

function hasResults(buckets: readonly Bucket[]): boolean {
  return buckets.some(({ count }) => count > 0);
}

/** A button of neighbouring bars. */
function BarGroup({
  buckets,
  axis,
  size: { top, ground, least },
  most,
  isTabStop,
  onFocus,
}: {
  buckets: readonly Bucket[];
  axis: LatencyAxis;
  size: Size;
  /** The count of the highest bar. */
  most: number;
  isTabStop: boolean;
  onFocus: () => void;
}) {
  const { isIn, toggle } = useFilter('latency');
  const bars = buckets.filter(({ count }) => count > 0);
  const whole = sumBuckets(bars);
  const range = bucketRange(whole);
  const words = bucketText(whole);
  const width = Math.max(
    least,
    buckets.reduce((sum, bucket) => sum + axis.bucketWidth(bucket), 0),
  );
  const start = Math.min(1 - width, ...buckets.map(axis.bucketAt));
  const above = Math.max(0, top - 8);
  return (
    <g
      role="button"
      tabIndex={isTabStop ? 0 : -1}
      aria-label={words}
      aria-pressed={isIn(range)}
      className={styles.group}
      onFocus={onFocus}
      onClick={() => toggle(range)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        toggle(range);
      }}
    >
      <rect x={percent(start)} y={above} width={percent(width)} height={ground - above} />
      {bars.map((bucket) => {
        const height = Math.max(1.5, (bucket.count / most) * (ground - top));
        return (
          <svg
            key={bucket.from}
            x={percent(axis.bucketAt(bucket))}
            y={ground - height}
            width={percent(axis.bucketWidth(bucket))}
            height={height}
          >
            <rect className={styles.bar} x="0.5" width="100%" height="100%" />
          </svg>
        );
      })}
      <title>{words}</title>
    </g>
  );
}

const percent = (share: number) => `${share * 100}%`;

function Axis({ axis }: { axis: LatencyAxis }) {
  const { ground } = usual;
  return (
    <g aria-hidden="true">
      <line className={styles.tick} x1="0" x2="100%" y1={ground + 0.5} y2={ground + 0.5} />
      {axis.ticks.map(({ at, label }) => (
        <g key={at}>
          <line
            className={styles.tick}
            x1={percent(at)}
            x2={percent(at)}
            y1={ground}
            y2={ground + (label === undefined ? 3 : 6)}
          />
          {label !== undefined && (
            <text
              x={percent(at)}
              y="122"
              textAnchor={at < 0.02 ? 'start' : at > 0.96 ? 'end' : 'middle'}
            >
              {label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Lines for the median and the 95th percentile, their labels out of each other's way. */
function LatencyMarks({ axis, p50, p95 }: { axis: LatencyAxis; p50: number; p95: number }) {
  const [first, last] = [axis.at(p50), axis.at(p95)];
  const labels = placeLabels(first, last);
  return (
    <g aria-hidden="true">
      <Mark at={first} label={labels.p50} text={`p50 ${duration(p50)}`} />
      <Mark at={last} label={labels.p95} text={`p95 ${duration(p95)}`} isDashed />
    </g>
  );
}

function Mark({
  at,
  label: { isLeft, row },
  text,
  isDashed = false,
}: {
  at: number;
  label: MarkLabel;
  text: string;
  isDashed?: boolean;
}) {
  const y = 13 + 13 * row;
  const x = `${at * 100}%`;
  return (
    <>
      <line
        className={classNames(styles.mark, isDashed && styles.dashed)}
        x1={x}
        x2={x}
        y1={y - 7}
        y2="104"
      />
      <text
        className={styles.label}
        x={x}
        dx={isLeft ? -5 : 5}
        y={y}
        textAnchor={isLeft ? 'end' : 'start'}
      >
        {text}
      </text>
    </>
  );
}
