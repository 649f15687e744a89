import type { ComponentPropsWithRef } from 'react';
import { count as countText } from '../figures/figures.js';
import { Icon } from '../icons/icon.js';
import { MiddleCut } from '../names/middle-cut.js';
import styles from './filter-pill.module.css';

const stateText = { in: 'included', out: 'excluded', off: 'off' } as const;

/** A filter value. The parent decides what a click does: include, exclude, clear. */
export function FilterPill({
  standing,
  text,
  end,
  count,
  ...rest
}: {
  standing: 'in' | 'out' | 'off';
  text: string;
  /** Length of the end of the text that is never cut. */
  end?: number | undefined;
  /** The number of matching results, if known. */
  count?: number | undefined;
} & Omit<ComponentPropsWithRef<'button'>, 'className' | 'type'>) {
  return (
    <button type="button" className={styles.pill} data-standing={standing} {...rest}>
      {standing !== 'off' && <Icon name={standing === 'in' ? 'plus' : 'minus'} />}
      <MiddleCut text={text} end={end} className={styles.text} />
      {count !== undefined && <span className={styles.count}>{countText(count)}</span>}
      <span className="sr">{stateText[standing]}</span>
    </button>
  );
}
