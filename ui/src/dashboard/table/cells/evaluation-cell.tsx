import type { MouseEvent } from 'react';
import type { TableRow } from '../../../api/schema.js';
import { classNames } from '../../../components/class-names.js';
import { Icon } from '../../../components/icons/icon.js';
import { MiddleCut } from '../../../components/names/middle-cut.js';
import { originText, reasonMeaning } from '../../../components/runs/origin-text.js';
import { useIsOutOfDate } from '../../dashboard-state.js';
import styles from './evaluation-cell.module.css';
import { nameParts } from './row-standing.js';

/** Name, trials, dataset and labels. Parts that do not fit are hidden; only the name may be cut. */
export function EvaluationCell({
  row,
  isTrial,
  isLast,
  isOpen,
  href,
  nameEnd,
  onToggle,
}: {
  row: TableRow;
  isTrial: boolean;
  isLast: boolean;
  isOpen: boolean;
  href: string;
  /** Length of the end of the name that is never cut. */
  nameEnd: number | undefined;
  onToggle: (event: MouseEvent) => void;
}) {
  const { name, case: inBrackets, trial } = nameParts(row);
  const { fold } = row;
  const isOutOfDate = useIsOutOfDate(row);
  const opened = fold ? 'trials' : 'details';
  return (
    <span
      role="rowheader"
      className={classNames(styles.cell, isTrial && styles.trial, isLast && styles.last)}
    >
      {(fold || isOpen) && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.twist}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${opened}`}
          aria-expanded={isOpen}
          onClick={onToggle}
        >
          <Icon name={isOpen ? 'down' : 'right'} />
        </button>
      )}
      <a href={href} tabIndex={-1} className={styles.name} draggable={false}>
        {isTrial ? trial : <MiddleCut text={name} rest={`${inBrackets}${trial}`} end={nameEnd} />}
      </a>
      {row.origin && row.fold === undefined && (
        <span className={styles.origin} title={originText(row.origin)}>
          <Icon name="chain" />
          <span className="sr">{originText(row.origin)}</span>
        </span>
      )}
      {row.pruned ? (
        <span
          className={styles.trials}
          title="Its evaluation no longer exists, so it does not count"
        >
          pruned
        </span>
      ) : (
        fold && <TrialTag fold={fold} />
      )}
      {isOutOfDate && <span className={styles.stale}>code changed</span>}
      {!isTrial && (
        <>
          <span className={styles.dataset}>{row.dataset}</span>
          {row.origin && row.fold === undefined && (
            <span className={styles.label} aria-hidden="true">
              from {row.origin.run_name}
            </span>
          )}
          {row.reason !== undefined && row.fold === undefined && (
            <span className={styles.label} title={reasonMeaning}>
              {row.reason}
            </span>
          )}
          {row.labels.map((label) => (
            <span key={label} className={styles.label}>
              #{label}
            </span>
          ))}
        </>
      )}
    </span>
  );
}

function TrialTag({ fold: { passed, trials, flaky } }: { fold: NonNullable<TableRow['fold']> }) {
  return (
    <span className={flaky ? styles.flaky : styles.trials}>
      {passed}/{trials}
      {flaky ? ' flaky' : <span className="sr"> trials passed</span>}
    </span>
  );
}
