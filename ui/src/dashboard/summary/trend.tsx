import type { ScoreChip } from '../../api/schema.js';
import styles from './score-bars.module.css';
import { levelsOf } from './score-history.js';

const step = 8;
const last = 89;
/** Minimum range of the axis, so that small changes do not look large. */
const minSpan = 0.1;

/** The trend of a score over the last runs, the newest at the right. */
export function Trend({ values }: { values: readonly (ScoreChip | undefined)[] }) {
  const points = levelsOf(values).flatMap((value, n) =>
    value === undefined ? [] : [{ x: last - (values.length - 1 - n) * step, value }],
  );
  const newest = points.at(-1);
  if (newest === undefined) return null;
  const most = Math.max(...points.map(({ value }) => value));
  const least = Math.min(...points.map(({ value }) => value));
  const middle = (most + least) / 2;
  const span = Math.max(most - least, minSpan);
  const y = (value: number) => 8 - ((value - middle) / span) * 12;
  const line = points.map(({ x, value }) => `${x} ${y(value).toFixed(1)}`).join('L');
  const start = points[0]?.x ?? last;
  return (
    <svg className={styles.trend} viewBox="0 0 92 16" aria-hidden="true">
      {start > 1 && <path className={styles.absent} d={`M1 8H${start - 4}`} />}
      {points.length > 1 && <path d={`M${line}`} />}
      <circle cx={newest.x} cy={y(newest.value)} r="2" />
    </svg>
  );
}
