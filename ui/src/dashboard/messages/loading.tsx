import { useDelayed } from '../../browser/use-delayed.js';
import { classNames } from '../../components/class-names.js';
import styles from './loading.module.css';

/** Milliseconds until a wait is explained. */
const explainedAfter = 4000;

/** The shapes of a page that is being read, in their final heights; nothing for a short wait. */
export function Loading({
  what,
  hasBar = false,
  className,
}: {
  what: string;
  hasBar?: boolean;
  /** Sets other heights than those of the dashboard: `--skeleton-summary`, `--skeleton-line`, `--skeleton-row`. */
  className?: string | undefined;
}) {
  const isLong = useDelayed(true, explainedAfter);
  return (
    <div className={classNames(styles.loading, className)} aria-busy="true">
      {hasBar && <div className={styles.bar} />}
      <div className={styles.summary} aria-hidden="true">
        <span>
          <i className={styles.rate} />
          <i />
          <i />
        </span>
        <span>
          {places.map((n) => (
            <i key={n} />
          ))}
        </span>
      </div>
      <div className={styles.line} />
      <div className={styles.rows} aria-hidden="true" />
      <p role="status" className={isLong ? styles.words : 'sr'}>
        Reading {what} …
      </p>
    </div>
  );
}

const places = [0, 1, 2, 3, 4];
