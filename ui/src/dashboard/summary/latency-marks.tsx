import { classNames } from '../../components/class-names.js';
import { duration } from '../../components/figures/figures.js';
import { type LatencyAxis, type MarkLabel, placeLabels } from './latency-axis.js';
import styles from './latency-histogram.module.css';

/** Lines for the median and the 95th percentile, their labels out of each other's way. */
export function LatencyMarks({ axis, p50, p95 }: { axis: LatencyAxis; p50: number; p95: number }) {
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
