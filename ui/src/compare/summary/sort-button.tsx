import type { ReactNode } from 'react';
import { useCompareView } from '../use-compare-view.js';
import { defaultSort } from '../view-state.js';
import styles from './sort-button.module.css';

/** The head of a column by whose change the pairs can be sorted, the largest increase first. */
export function SortButton({
  sort,
  title,
  children,
}: {
  sort: 'latency' | 'cost' | 'tokens' | 'calls';
  title: string;
  children: ReactNode;
}) {
  const [view, setView] = useCompareView();
  const isOn = view.sort === sort;
  return (
    <button
      type="button"
      className={styles.button}
      aria-pressed={isOn}
      title={title}
      onClick={() =>
        setView((now) => ({ ...now, sort: isOn ? defaultSort : sort, descending: !isOn }))
      }
    >
      {children}
    </button>
  );
}
