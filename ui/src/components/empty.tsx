import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** What stands where there is nothing to show: what is missing, why, and what to do. */
export function Empty({
  title,
  actions,
  children,
}: {
  title: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={styles.empty}>
      <h2>{title}</h2>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
