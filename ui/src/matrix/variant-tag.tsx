import { letterOf } from '../compare/letters.js';
import { classNames } from '../components/class-names.js';
import styles from './variant-tag.module.css';

/** The letter of a run. Only the base and the run that is looked at have a colour: twelve hues cannot be told apart. */
export function VariantTag({ run, isCurrent = false }: { run: number; isCurrent?: boolean }) {
  return (
    <span
      role="img"
      aria-label={`run ${letterOf(run)}`}
      className={classNames(styles.tag, run === 0 && styles.base, isCurrent && styles.current)}
    >
      {letterOf(run)}
    </span>
  );
}
