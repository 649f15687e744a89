import { classNames } from '../components/class-names.js';
import { letterOf } from './letters.js';
import { runColor } from './run-color.js';
import styles from './run-tag.module.css';

/** The letter of a run in its colour; always both. */
export function RunTag({ run, small = false }: { run: number; small?: boolean }) {
  return (
    <span
      role="img"
      aria-label={`run ${letterOf(run)}`}
      className={classNames(styles.tag, runColor(run), small && styles.small)}
    >
      {letterOf(run)}
    </span>
  );
}
