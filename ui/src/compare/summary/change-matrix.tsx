import type { ReactNode } from 'react';
import type { ChangeCounts } from '../../../../src/compare/cases/change.js';
import { classNames } from '../../components/class-names.js';
import { count } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { StatusIcon } from '../../components/icons/status-icon.js';
import { noChoice } from '../../dashboard/view-state.js';
import { type ChangeGroup, changeGroups } from '../changes.js';
import { letterOf } from '../letters.js';
import { RunTag } from '../run-tag.js';
import { useCompareView } from '../use-compare-view.js';
import { hasCell, isFilteredComparison, toggleCell } from '../view-state.js';
import styles from './change-matrix.module.css';

/** The number of cases per change and run. A click on a number filters by it. */
export function ChangeMatrix({ changes }: { changes: readonly (ChangeCounts | null)[] }) {
  const [view, setView] = useCompareView();
  // All counts here are over the pairs that the change filter selects from.
  const isPart = isFilteredComparison({ ...view, changes: noChoice });
  const others = changes.flatMap((counts, run) => (counts === null ? [] : [{ counts, run }]));
  const shown = changeGroups.filter(
    (group) =>
      group.id !== 'not_paired' ||
      others.some(
        ({ counts, run }) => sum(counts, group) > 0 || hasCell(view.changes, 'not_paired', run),
      ),
  );
  return (
    <div
      className={styles.matrix}
      role="group"
      aria-label="Changes against the base"
      style={{ gridTemplateColumns: `1fr repeat(${others.length}, 56px)` }}
    >
      <div className={classNames(styles.row, styles.head)}>
        <span>against A, {isPart ? 'of what the filters match' : 'by result id'}</span>
        {others.map(({ run }) => (
          <span key={run}>
            <RunTag run={run} />
          </span>
        ))}
      </div>
      {shown.map((group) => (
        <div key={group.id} className={styles.row}>
          <span className={styles.what}>
            {signs[group.id]}
            <span className={styles.word}>{group.text}</span>{' '}
            <span className="faint">{group.note}</span>
          </span>
          {others.map(({ counts, run }) => {
            const number = sum(counts, group);
            return (
              <button
                key={run}
                type="button"
                className={classNames(styles.cell, number === 0 && styles.zero)}
                aria-pressed={group.changes.every((change) => hasCell(view.changes, change, run))}
                aria-label={`${count(number)} ${group.text} in ${letterOf(run)}`}
                onClick={() =>
                  setView((now) => ({
                    ...now,
                    changes: toggleCell(now.changes, group.changes, run, now.runs.length),
                  }))
                }
              >
                {count(number)}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function sum(counts: ChangeCounts, { changes }: ChangeGroup): number {
  return changes.reduce((total, change) => total + counts[change], 0);
}

const sign = (text: string) => (
  <span className={classNames('faint', styles.sign)} aria-hidden="true">
    {text}
  </span>
);

const signs: Readonly<Record<ChangeGroup['id'], ReactNode>> = {
  regressed: <Move from="passed" to="failed" />,
  fixed: <Move from="failed" to="passed" />,
  changed: sign('≠'),
  only: sign('±'),
  same: sign('='),
  not_paired: sign('…'),
};

function Move({ from, to }: { from: 'passed' | 'failed'; to: 'passed' | 'failed' }) {
  return (
    <span className={styles.move} aria-hidden="true">
      <StatusIcon standing={from} label={null} />
      <Icon name="right" />
      <StatusIcon standing={to} label={null} />
    </span>
  );
}
