import { classNames } from '../../components/class-names.js';
import { duration } from '../../components/figures.js';
import type { LatencyAxis } from './latency-axis.js';
import styles from './latency-histogram.module.css';

/** About how wide a label is, as a share of the axis. */
const labelWidth = 0.2;

/** Lines for the median and the 95th percentile, their labels out of each other's way. */
export function LatencyMarks({ axis, p50, p95 }: { axis: LatencyAxis; p50: number; p95: number }) {
  const first = spanOf(axis.at(p50), 'left');
  const second = spanOf(axis.at(p95), 'right');
  const isMet = first.from < second.to && second.from < first.to;
  return (
    <g aria-hidden="true">
      <Mark {...first} text={`p50 ${duration(p50)}`} y={13} />
      <Mark {...second} text={`p95 ${duration(p95)}`} y={isMet ? 26 : 13} isDashed />
    </g>
  );
}

/** A label stands at its side of the line, at the other one where it would leave the drawing. */
function spanOf(at: number, side: 'left' | 'right') {
  const isLeft = side === 'left' ? at >= labelWidth : at > 1 - labelWidth;
  return isLeft
    ? { at, isLeft, from: at - labelWidth, to: at }
    : { at, isLeft, from: at, to: at + labelWidth };
}

function Mark({
  at,
  isLeft,
  text,
  y,
  isDashed = false,
}: {
  at: number;
  isLeft: boolean;
  text: string;
  y: number;
  isDashed?: boolean;
}) {
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
