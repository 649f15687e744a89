import type { ReactNode } from 'react';
import { useDelayed } from '../../browser/use-delayed.js';
import styles from './loading-shapes.module.css';

/** Milliseconds until a wait is explained. */
const explainedAfter = 4000;

/** Still shapes of something that is being read, in their final heights; nothing for a short wait. */
export function LoadingShapes({ what, children }: { what: string; children: ReactNode }) {
  const isLong = useDelayed(true, explainedAfter);
  return (
    <div className={styles.loading} aria-busy="true">
      <div aria-hidden="true">{children}</div>
      <p role="status" className={isLong ? styles.words : 'sr'}>
        Reading {what} …
      </p>
    </div>
  );
}
