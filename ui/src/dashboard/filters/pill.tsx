import { count as countText } from '../../components/figures.js';
import { Icon } from '../../components/icon.js';
import { useView } from '../use-view.js';
import { cycle, type FilterKind, standing, withChoice } from '../view-state.js';
import { filterText } from './filter-text.js';
import styles from './pill.module.css';

const said = { in: 'included', out: 'excluded', off: 'off' } as const;

/** A value to filter by: a click includes it, the next one excludes it, a third one lets it be. */
export function Pill({
  kind,
  value,
  count,
  text = filterText(kind, value),
}: {
  kind: FilterKind;
  value: string;
  /** How many results it would leave, where that is known. */
  count?: number | undefined;
  /** Shorter words, where what stands before says the rest. */
  text?: string;
}) {
  const [view, setView] = useView();
  const now = standing(view.filters[kind], value);
  return (
    <button
      type="button"
      className={styles.pill}
      data-standing={now}
      data-filter={`${kind}=${value}`}
      onClick={() => setView((then) => withChoice(then, kind, cycle(then.filters[kind], value)))}
    >
      {now !== 'off' && <Icon name={now === 'in' ? 'plus' : 'minus'} />}
      <span className={styles.text}>{text}</span>
      {count !== undefined && <span className={styles.count}>{countText(count)}</span>}
      <span className="sr">{said[now]}</span>
    </button>
  );
}
