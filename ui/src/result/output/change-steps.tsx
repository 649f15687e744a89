import { type RefObject, useEffect, useState } from 'react';
import { useShortcut } from '../../app/shortcuts.js';
import { IconButton } from '../../components/controls/button.js';
import { count } from '../../components/figures/figures.js';
import styles from './output-pair.module.css';

/** Leads from one difference to the next: `n`, `p`. */
export function ChangeSteps({
  pair,
  count: all,
  onMissing,
}: {
  /** Holds the texts with marks. */
  pair: RefObject<HTMLElement | null>;
  count: number;
  /** Shows texts whole: the difference is not in the page. */
  onMissing: () => void;
}) {
  const [current, setCurrent] = useState<number>();
  const go = (by: number) => {
    if (all === 0) return;
    const next = current === undefined ? (by > 0 ? 0 : all - 1) : (current + by + all) % all;
    if (marksOf(pair.current, next).length === 0) onMissing();
    setCurrent(next);
  };
  useShortcut('changes', ({ key }) => go(key === 'p' ? -1 : 1));
  useEffect(() => {
    if (current === undefined) return;
    const found = marksOf(pair.current, current);
    for (const mark of found) mark.dataset.current = '';
    found[0]?.scrollIntoView({ block: 'center' });
    return () => {
      for (const mark of found) delete mark.dataset.current;
    };
  });
  if (all === 0) return null;
  return (
    <span className={styles.changes}>
      <span role="status">
        {current === undefined || current >= all ? (
          <>
            {count(all)}
            <span className={styles.word}>{all === 1 ? ' difference' : ' differences'}</span>
          </>
        ) : (
          `${count(current + 1)} of ${count(all)}`
        )}
      </span>
      <IconButton icon="up" label="Previous difference, p" small onClick={() => go(-1)} />
      <IconButton icon="arrowDown" label="Next difference, n" small onClick={() => go(1)} />
    </span>
  );
}

function marksOf(pair: HTMLElement | null, change: number): readonly HTMLElement[] {
  return [...(pair?.querySelectorAll<HTMLElement>(`mark[data-change="${change}"]`) ?? [])];
}
