import type { ReactNode } from 'react';
import styles from './empty.module.css';

/** The empty state of a page or panel: what is missing, why, and what to do. */
export function Empty({
  title,
  isPage = false,
  actions,
  children,
}: {
  title: ReactNode;
  /** The page contains nothing else. */
  isPage?: boolean;
  actions?: ReactNode;
  children?: ReactNode;
}) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <section className={styles.empty}>
      <Title>{title}</Title>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}
