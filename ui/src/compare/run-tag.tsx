import { classNames } from '../components/class-names.js';
import { letterOf } from './letters.js';
import styles from './run-tag.module.css';

/** The letter of a run, in its colour. */
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

const classes = [styles.a, styles.b, styles.c, styles.d];

/** The class that sets the colour of a run as `--run`. */
export function runColor(run: number): string | undefined {
  return classes[run];
}
