import type { Bounds } from '../../../../src/statistics/bounds.js';
import { boundsText } from '../../../../src/text/share-text.js';
import { classNames } from '../class-names.js';
import styles from './scale.module.css';

/** The position of the whisker on such a scale. */
const whisker = { top: 10, cap: 9 };

const at = (share: number) => `${Math.max(0, Math.min(1, share)) * 100}%`;

/** A share on a scale from 0 to 1: a bar, with the interval as a whisker that is light inside the bar. */
export function ShareBar({ share, interval }: { share: number; interval: Bounds }) {
  const { low, high } = interval;
  return (
    <span className={styles.scale} aria-hidden="true">
      <i className={styles.track} />
      <i className={styles.fill} style={{ width: at(share) }} />
      {low !== null && high !== null && high > low && (
        <Whisker from={low} to={high} bar={share} {...whisker} />
      )}
      {(low === null || high === null) && <em className={styles.words}>{boundsText(interval)}</em>}
    </span>
  );
}

/**
 * A mean on a scale from 0 to 1: a diamond on the track, never a bar. Outside the scale, or without a mean, the
 * interval is text.
 */
export function MeanMark({
  mean,
  interval,
  words,
}: {
  mean: number | undefined;
  interval: Bounds;
  words: string;
}) {
  const { low, high } = interval;
  const isOnScale = mean !== undefined && mean >= 0 && mean <= 1;
  const isDrawn = isOnScale && low !== null && high !== null;
  return (
    <span className={styles.scale} aria-hidden="true">
      <i className={styles.track} />
      {isDrawn && <Whisker from={Math.max(0, low)} to={Math.min(1, high)} {...whisker} />}
      {isOnScale && <i className={styles.mean} style={{ left: at(mean) }} />}
      {!isDrawn && (
        <em
          className={classNames(
            styles.words,
            isOnScale && styles.beside,
            isOnScale && mean > 0.5 && styles.left,
          )}
        >
          {words}
        </em>
      )}
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

/**
 * An interval on a scale: a line with caps, light inside a bar that reaches to `bar`. Positions are shares of the
 * scale.
 */
export function Whisker({
  from,
  to,
  bar,
  top,
  cap,
}: {
  from: number;
  to: number;
  /** Absent without a bar. */
  bar?: number;
  /** Pixels from the top of the scale to the line. */
  top: number;
  /** Size of a cap in pixels, an odd number. */
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
