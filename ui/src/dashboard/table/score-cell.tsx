import type { TableRow } from '../../api/schema.js';
import { ScoreChips } from '../../components/score-chips.js';
import styles from './table-row.module.css';

/** The scores of a row on one line. */
export function ScoreCell({ row, width }: { row: TableRow; width: number }) {
  return (
    <span role="gridcell" data-cell="scores" className={styles.chips}>
      <ScoreChips row={row} width={width} />
    </span>
  );
}
