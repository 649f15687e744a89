import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ResultPage } from '../api/schema.js';
import { flipTheme } from '../app/theme.js';
import { buttonClass, IconButton } from '../components/button.js';
import { count } from '../components/figures.js';
import { Icon } from '../components/icon.js';
import { Kbd } from '../components/kbd.js';
import { isFiltered, type View } from '../dashboard/view-state.js';
import { CopyButton } from './copy-button.js';
import styles from './result-bar.module.css';
import { webUrl } from './values/safe-url.js';
import { tableAddress, viewWord } from './walk/addresses.js';
import type { Walk } from './walk/use-walk.js';

/** The line at the top of a result: where it belongs, the way on, and what can be done with it. */
export function ResultBar({
  page,
  view,
  walk,
  actions,
}: {
  page: ResultPage;
  view: View;
  walk: Walk;
  actions: ReactNode;
}) {
  const trace = webUrl(page.result.result.trace_data.trace_url);
  return (
    <header className={styles.top}>
      <WayBack view={view} />
      <span className={styles.slash}>/</span>
      <span className={styles.session}>{page.session_name}</span>
      <span className={styles.slash}>/</span>
      <span className={styles.run}>{page.run_name}</span>
      <span className={styles.space} />
      <Position walk={walk} word={viewWord(view, isFiltered(view))} />
      <span className={styles.steps}>
        <IconButton
          icon="up"
          label="Previous, k"
          disabled={walk.previous === undefined}
          onClick={() => walk.go(walk.previous)}
        />
        <IconButton
          icon="arrowDown"
          label="Next, j"
          disabled={walk.next === undefined}
          onClick={() => walk.go(walk.next)}
        />
      </span>
      <span className={styles.space} />
      {trace !== undefined && (
        <a
          href={trace}
          target="_blank"
          rel="noopener noreferrer"
          className={buttonClass({ look: 'ghost' })}
        >
          <Icon name="ext" />
          Trace
        </a>
      )}
      <span className={styles.tools}>
        <CopyButton label="Copy link" icon="chain" text={() => location.href} />
        <IconButton icon="theme" label="Theme" onClick={flipTheme} />
      </span>
      {actions}
    </header>
  );
}

/** The product, which leads to the active run, and the table that the result was opened from. */
function WayBack({ view }: { view: View }) {
  return (
    <>
      <Link href="/" className={styles.mark} aria-label="assay">
        <svg viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor">
          <path d="M5 1h8l4 4v8l-4 4H5l-4-4V5Z" strokeWidth="1.6" />
          <path d="M5 9.4 7.9 12.2 13 6" strokeWidth="1.8" />
        </svg>
        <span>assay</span>
      </Link>
      <Link href={tableAddress(view)} className={buttonClass({ look: 'ghost' })}>
        <Icon name="left" />
        Results <Kbd>esc</Kbd>
      </Link>
    </>
  );
}

/** The line at the top where there is no result. */
export function EmptyBar({ view }: { view: View }) {
  return (
    <header className={styles.top}>
      <WayBack view={view} />
      <span className={styles.space} />
      <IconButton icon="theme" label="Theme" onClick={flipTheme} />
    </header>
  );
}

function Position({ walk, word }: { walk: Walk; word: string }) {
  if (!walk.isRead) return null;
  return (
    <span className={styles.position}>
      {walk.position === undefined ? (
        <>
          not among the <b>{count(walk.count)}</b> {word}
        </>
      ) : (
        <>
          <b>{count(walk.position + 1)}</b> of <b>{count(walk.count)}</b> {word}
        </>
      )}
    </span>
  );
}
