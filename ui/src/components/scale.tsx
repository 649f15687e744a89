import { classNames } from './class-names.js';
import styles from './scale.module.css';
import { Whisker } from './whisker.js';

/** The bounds of a 95 % interval, as shares of the scale; `null` where none can be given. */
export interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/** Where the whisker lies on such a scale. */
const whisker = { top: 10, cap: 9 };

const at = (share: number) => `${Math.max(0, Math.min(1, share)) * 100}%`;

/** A share on a scale from nothing to all: a bar, and the interval as a whisker that is light inside the bar. */
export function ShareBar({ share, interval }: { share: number; interval: Interval }) {
  const { low, high } = interval;
  return (
    <span className={styles.scale} aria-hidden="true">
      <i className={styles.track} />
      <i className={styles.fill} style={{ width: at(share) }} />
      {low !== null && high !== null && high > low && (
        <Whisker from={low} to={high} bar={share} {...whisker} />
      )}
    </span>
  );
}

/** A mean on a scale from nothing to one: a diamond on the track, never a bar. Outside of the scale only the track is drawn. */
export function MeanMark({ mean, interval }: { mean: number; interval: Interval }) {
  const { low, high } = interval;
  const isOnScale = mean >= 0 && mean <= 1;
  return (
    <span className={styles.scale} aria-hidden="true">
      <i className={styles.track} />
      {isOnScale && low !== null && high !== null && (
        <Whisker from={Math.max(0, low)} to={Math.min(1, high)} {...whisker} />
      )}
      {isOnScale && <i className={styles.mean} style={{ left: at(mean) }} />}
    </span>
  );
}

/** The ruler above such bars, from 0 to 100. */
export function PercentRuler({ className }: { className?: string | undefined }) {
  return (
    <div className={classNames(styles.ruler, className)}>
      {[0, 25, 50, 75, 100].map((mark) => (
        <span key={mark} style={{ left: `${mark}%` }}>
          {mark}
        </span>
      ))}
    </div>
  );
}
