import { count } from '../../components/figures.js';
import { Icon } from '../../components/icon.js';
import styles from './filter-pill.module.css';

/** A value to filter by: a click includes it, then leaves it out, then neither. */
export function FilterPill({
  standing,
  text,
  number,
  onClick,
}: {
  standing: 'in' | 'out' | 'off';
  text: string;
  /** How many there would be. */
  number?: number | undefined;
  onClick: () => void;
}) {
  return (
    <button
      type="button"
      className={styles.pill}
      data-f={standing}
      aria-pressed={standing === 'in' ? true : standing === 'out' ? 'mixed' : false}
      onClick={onClick}
    >
      {standing === 'in' && <Icon name="plus" />}
      {standing === 'out' && <Icon name="minus" />}
      <span className={styles.text}>{text}</span>
      {standing === 'out' && <span className="sr">left out</span>}
      {number !== undefined && <span className={styles.number}>{count(number)}</span>}
    </button>
  );
}
