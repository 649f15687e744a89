import { classNames } from './class-names.js';
import styles from './whisker.module.css';

/** An interval on a scale: a line with caps, light where it lies inside of a bar that reaches to `bar`. Places are shares of the scale. */
export function Whisker({
  from,
  to,
  bar,
  top,
  cap,
}: {
  from: number;
  to: number;
  /** Absent: there is no bar. */
  bar?: number;
  /** Pixels from the top of the scale to the line. */
  top: number;
  /** Pixels of a cap, an odd number. */
  cap: number;
}) {
  const inside = bar === undefined ? 0 : Math.max(0, Math.min(1, (bar - from) / (to - from)));
  return (
    <i
      className={classNames(styles.whisker, bar !== undefined && styles.inside)}
      style={{
        top,
        left: `${from * 100}%`,
        width: `${(to - from) * 100}%`,
        ...({ '--cap': `${cap}px`, '--in': `${inside * 100}%` } as object),
      }}
    />
  );
}
