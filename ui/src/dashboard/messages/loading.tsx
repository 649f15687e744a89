import { LoadingShapes } from '../../components/messages/loading-shapes.js';
import styles from './loading.module.css';

/** The shapes of a dashboard that is being read. */
export function Loading({ what, hasBar = false }: { what: string; hasBar?: boolean }) {
  return (
    <LoadingShapes what={what}>
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
    </LoadingShapes>
  );
}

const places = [0, 1, 2, 3, 4];
