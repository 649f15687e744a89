import { LoadingShapes } from '../../components/messages/loading-shapes.js';
import styles from './loading.module.css';

/** The shapes of a page of rows that is being read, in their final heights. */
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
  return (
    <LoadingShapes what={what}>
      <div className={className}>
        {hasBar && <div className={styles.bar} />}
        <div className={styles.summary}>
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
        <div className={styles.rows} />
      </div>
    </LoadingShapes>
  );
}

const places = [0, 1, 2, 3, 4];
