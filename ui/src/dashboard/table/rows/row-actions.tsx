import type { MouseEvent } from 'react';
import type { TableRow } from '../../../api/schema.js';
import { IconButton } from '../../../components/controls/button.js';
import styles from './row-actions.module.css';

/** The actions of a row, shown on hover and on focus. */
export function RowActions({
  row,
  isOpen,
  canRun,
  onExpand,
  onRerun,
  onRegrade,
}: {
  row: TableRow;
  isOpen: boolean;
  canRun: boolean;
  onExpand: () => void;
  onRerun: () => void;
  onRegrade: () => void;
}) {
  const doing = (act: () => void) => (event: MouseEvent) => {
    event.stopPropagation();
    act();
  };
  return (
    <span role="gridcell" data-cell="actions" className={styles.actions}>
      {canRun && (
        <IconButton
          needsServer
          small
          tabIndex={-1}
          icon="rerun"
          label="Rerun"
          onClick={doing(onRerun)}
        />
      )}
      {canRun && row.regradable && !row.inexact && (
        <IconButton
          needsServer
          small
          tabIndex={-1}
          icon="regrade"
          label="Regrade"
          onClick={doing(onRegrade)}
        />
      )}
      <IconButton
        small
        tabIndex={-1}
        icon="down"
        label={isOpen ? 'Close' : 'Expand'}
        className={isOpen ? styles.turned : undefined}
        onClick={doing(onExpand)}
      />
    </span>
  );
}
