import { type KeyboardEvent, useState } from 'react';
import type { RowSummary } from '../../api/schema.js';
import { useMedia } from '../../browser/use-media.js';
import { classNames } from '../../components/class-names.js';
import { IconButton } from '../../components/controls/button.js';
import { counted, count as countText, duration } from '../../components/figures/figures.js';
import { bucketRange, bucketText } from '../filters/filter-text.js';
import { useFilter } from '../use-view.js';
import { type LatencyAxis, latencyAxis } from './latency-axis.js';
import styles from './latency-histogram.module.css';
import { LatencyMarks } from './latency-marks.js';

type Latency = RowSummary['latency'];

/** Pixels from the top of the drawing: highest top of a bar, and the baseline. */
interface Heights {
  readonly top: number;
  readonly ground: number;
}
const usual: Heights = { top: 32, ground: 104 };
/** Without axis and marks. */
const small: Heights = { top: 0, ground: 35 };

/** Histogram of latencies; a click on a bar filters by it. */
export function LatencyHistogram({ latency }: { latency: Latency }) {
  const [isOpen, setOpen] = useState(false);
  const { count, replayed = 0, average, p50, p95, histogram } = latency;
  const isSmall = useMedia('(min-width: 641px) and (max-width: 900px)');
  const left = replayed > 0 ? `${countText(replayed)} replayed` : undefined;
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
          {[counted(count, 'result'), left].filter(Boolean).join(', ')}
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
      <Bars histogram={histogram} axis={axis} heights={isSmall ? small : usual} />
      {!isSmall && <Axis axis={axis} />}
      {!isSmall && p50 !== null && p95 !== null && <LatencyMarks axis={axis} p50={p50} p95={p95} />}
    </svg>
  );
}

/** Moves the focus among the bars. */
function moveFocus(event: KeyboardEvent<SVGElement>): void {
  const bars = [...event.currentTarget.querySelectorAll<SVGElement>('[role=button]')];
  const now = bars.indexOf(event.target as SVGElement);
  const places = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: bars.length - 1 };
  const place = places[event.key as keyof typeof places];
  if (place === undefined) return;
  event.preventDefault();
  bars[place]?.focus();
}

function Bars({
  histogram,
  axis,
  heights: { top, ground },
}: {
  histogram: Latency['histogram'];
  axis: LatencyAxis;
  heights: Heights;
}) {
  const { isIn, toggle } = useFilter('latency');
  const [focused, setFocused] = useState<number>();
  const bars = histogram.filter((bucket) => bucket.count > 0);
  const tabStop = bars.some(({ from }) => from === focused) ? focused : bars[0]?.from;
  const most = Math.max(...histogram.map((bucket) => bucket.count));
  return bars.map((bucket) => {
    const height = Math.max(1.5, (bucket.count / most) * (ground - top));
    const x = `${axis.bucketAt(bucket) * 100}%`;
    const width = `${axis.bucketWidth(bucket) * 100}%`;
    const range = bucketRange(bucket);
    const words = bucketText(bucket);
    return (
      <g
        key={bucket.from}
        role="button"
        tabIndex={bucket.from === tabStop ? 0 : -1}
        aria-label={words}
        aria-pressed={isIn(range)}
        className={styles.bucket}
        onFocus={() => setFocused(bucket.from)}
        onClick={() => toggle(range)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          toggle(range);
        }}
      >
        <rect x={x} y={Math.max(0, top - 8)} width={width} height={ground - Math.max(0, top - 8)} />
        <svg x={x} y={ground - height} width={width} height={height}>
          <rect className={styles.bar} x="0.5" width="100%" height="100%" />
        </svg>
        <title>{words}</title>
      </g>
    );
  });
}

function Axis({ axis }: { axis: LatencyAxis }) {
  const { ground } = usual;
  return (
    <g aria-hidden="true">
      <line className={styles.tick} x1="0" x2="100%" y1={ground + 0.5} y2={ground + 0.5} />
      {axis.ticks.map(({ at, label }) => (
        <g key={at}>
          <line
            className={styles.tick}
            x1={`${at * 100}%`}
            x2={`${at * 100}%`}
            y1={ground}
            y2={ground + (label === undefined ? 3 : 6)}
          />
          {label !== undefined && (
            <text
              x={`${at * 100}%`}
              y="122"
              textAnchor={at === 0 ? 'start' : at === 1 ? 'end' : 'middle'}
            >
              {label}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
