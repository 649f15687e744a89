import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { classNames } from '../class-names.js';
import { Icon } from '../icons/icon.js';
import styles from './bar.module.css';
import { buttonClass } from './button.js';
import { Kbd } from './kbd.js';

/** The top bar of a page. It begins with the product name, which links to the active run. */
export function Bar({
  className,
  children,
}: {
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <header className={classNames(styles.bar, className)}>
      <Link href="/" className={styles.mark} aria-label="assay">
        <svg viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor">
          <path d="M5 1h8l4 4v8l-4 4H5l-4-4V5Z" strokeWidth="1.6" />
          <path d="M5 9.4 7.9 12.2 13 6" strokeWidth="1.8" />
        </svg>
        <span>assay</span>
      </Link>
      {children}
    </header>
  );
}

/** A link back to the previous page. */
export function BackLink({
  href,
  isIcon = false,
  children = 'Results',
}: {
  href: string;
  /** There is only room for its icon. */
  isIcon?: boolean;
  children?: string;
}) {
  if (isIcon) {
    return (
      <Link
        href={href}
        className={buttonClass({ look: 'ghost' }, true)}
        aria-label={children}
        title={children}
      >
        <Icon name="left" />
      </Link>
    );
  }
  return (
    <Link href={href} className={buttonClass({ look: 'ghost' })}>
      <Icon name="left" />
      {children} <Kbd>esc</Kbd>
    </Link>
  );
}

/** The separator between a session and its content. */
export function Slash({ className }: { className?: string | undefined }) {
  return (
    <span className={classNames(styles.slash, className)} aria-hidden="true">
      /
    </span>
  );
}

/** Moves the following items to the other end. */
export function BarSpace({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.space, className)} />;
}

/** Icons side by side. */
export function BarTools({
  className,
  children,
}: {
  className?: string | undefined;
  children: ReactNode;
}) {
  return <span className={classNames(styles.tools, className)}>{children}</span>;
}
