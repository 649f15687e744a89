import { Link, useLocation } from 'wouter';
import { notify } from '../../app/notices.js';
import { useShortcut } from '../../app/shortcuts.js';
import { flipTheme } from '../../app/theme.js';
import { buttonClass, IconButton } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { Kbd } from '../../components/kbd.js';
import type { RunComparison } from '../comparison.js';
import type { PairFigures } from '../queries.js';
import { AddRun } from './add-run.js';
import styles from './compare-bar.module.css';
import { CompareExport } from './compare-export.js';
import { PairSearch } from './pair-search.js';

/** The line of filters takes the focus; it is the part of the page with this id. */
export const filterLineId = 'filters';

/** The line at the top: the way back, what is looked for, and what can be done. */
export function CompareBar({
  runs,
  comparison,
  figures,
}: {
  runs: readonly string[];
  comparison: RunComparison | undefined;
  figures: PairFigures | undefined;
}) {
  const [, navigate] = useLocation();
  // The comparison is opened from its newest run, which comes last.
  const last = runs.at(-1);
  const back = last === undefined ? '/' : `/?run=${encodeURIComponent(last)}`;
  useShortcut('back', () => navigate(back));
  const focusFilters = () =>
    document.getElementById(filterLineId)?.querySelector('button')?.focus();
  useShortcut('filters', focusFilters);
  const session = comparison?.runs[0]?.session_name;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      notify({ kind: 'info', text: 'Link copied' });
    } catch {
      notify({ kind: 'error', text: 'The browser does not let the page copy' });
    }
  };
  return (
    <header className={styles.top}>
      <Link href="/" className={styles.mark}>
        <svg viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor">
          <path d="M5 1h8l4 4v8l-4 4H5l-4-4V5Z" strokeWidth="1.6" />
          <path d="M5 9.4 7.9 12.2 13 6" strokeWidth="1.8" />
        </svg>
        assay
      </Link>
      <Link href={back} className={buttonClass({ look: 'ghost' })}>
        <Icon name="left" />
        Results <Kbd>esc</Kbd>
      </Link>
      {session !== undefined && (
        <>
          <span className={classNames(styles.slash, styles.wide)}>/</span>
          <span className={classNames('quiet', 'cut', styles.wide)}>{session}</span>
        </>
      )}
      <span className={classNames(styles.slash, styles.wide)}>/</span>
      <span className={styles.wide}>compare</span>
      <span className={styles.space} />
      {figures && <PairSearch total={figures.total} />}
      <span className={styles.tools}>
        {figures && <IconButton icon="filter" label="Filters" onClick={focusFilters} />}
        {comparison && <CompareExport comparison={comparison} />}
        <IconButton icon="chain" label="Copy link" onClick={copy} />
        <IconButton icon="theme" label="Theme" onClick={flipTheme} />
      </span>
      {runs.length > 0 && <AddRun runs={runs} session={session} />}
    </header>
  );
}
