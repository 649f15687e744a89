import { useState } from 'react';
import { Link } from 'wouter';
import type { Run } from '../../api/client.js';
import type { RowFigures } from '../../api/row-queries.js';
import { useShortcut } from '../../app/shortcuts.js';
import { buttonClass } from '../../components/button.js';
import { classNames } from '../../components/class-names.js';
import { Icon } from '../../components/icon.js';
import { SettingsDialog } from '../../settings/settings-dialog.js';
import { ConfigPicker } from './config-picker.js';
import { RunControls } from './run-controls.js';
import { RunPicker } from './run-picker.js';
import { SearchField } from './search-field.js';
import { SessionPicker } from './session-picker.js';
import { Tools } from './tools.js';
import styles from './top-bar.module.css';
import { useCompareLink } from './use-compare-link.js';

/** The line at the top: which run it is, what is looked for, and what can be done with it. */
export function TopBar({ run, figures }: { run: Run; figures: RowFigures | undefined }) {
  const [hasSettings, setSettings] = useState(false);
  const compare = useCompareLink(run);
  useShortcut('compare', compare.open);
  return (
    <header className={styles.top}>
      <Link href="/" className={styles.mark}>
        <svg viewBox="0 0 18 18" aria-hidden="true" fill="none" stroke="currentColor">
          <path d="M5 1h8l4 4v8l-4 4H5l-4-4V5Z" strokeWidth="1.6" />
          <path d="M5 9.4 7.9 12.2 13 6" strokeWidth="1.8" />
        </svg>
        assay
      </Link>
      <SessionPicker run={run} />
      <span className={styles.slash}>/</span>
      <RunPicker run={run} compareHref={compare.href} />
      <Link href={compare.href} className={classNames(buttonClass({ look: 'ghost' }), styles.wide)}>
        <Icon name="compare" />
        Compare
      </Link>
      <span className={styles.space} />
      <SearchField total={figures?.total ?? run.total_evaluations} />
      <Tools
        run={run}
        figures={figures}
        compareHref={compare.href}
        onSettings={() => setSettings(true)}
      />
      <ConfigPicker />
      <RunControls run={run} figures={figures} />
      <SettingsDialog isOpen={hasSettings} onClose={() => setSettings(false)} />
    </header>
  );
}
