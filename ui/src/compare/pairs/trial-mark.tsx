import type { TableRow } from '../../api/schema.js';
import styles from './pair-side.module.css';
import { trialText } from './pair-words.js';

/** Says which trial what follows is from, where there are several. */
export function TrialMark({ row }: { row: TableRow }) {
  const text = trialText(row);
  return text === undefined ? null : <span className={styles.trial}>{text} </span>;
}
