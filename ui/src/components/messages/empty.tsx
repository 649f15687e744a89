import type { ReactNode } from 'react';
import { messageOf } from '../../api/problem.js';
import { Button } from '../controls/button.js';
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

/** The empty state of something that could not be read. */
export function Unreadable({
  title,
  isPage = false,
  error,
  onRetry,
}: {
  title: string;
  isPage?: boolean;
  error: Error;
  onRetry: () => void;
}) {
  return (
    <Empty title={title} isPage={isPage} actions={<Button onClick={onRetry}>Try again</Button>}>
      <p>{messageOf(error)}</p>
    </Empty>
  );
}
