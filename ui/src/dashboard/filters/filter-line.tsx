import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import type { RowFigures } from '../../api/row-queries.js';
import { useDelayed } from '../../browser/use-delayed.js';
import { Button } from '../../components/controls/button.js';
import { count, counted } from '../../components/figures/figures.js';
import { useSelection } from '../selection.js';
import { useView } from '../use-view.js';
import { isFiltered, withoutFilters } from '../view-state.js';
import { FilterButton } from './filter-button.js';
import styles from './filter-line.module.css';
import { groupNames } from './filter-text.js';
import { lineValues } from './line-values.js';
import { Pill } from './pill.js';

/** Width of the end of the line in pixels: the button for more filters, the numbers, clear. */
const endWidth = 370;
/** Maximum width of the line where it scrolls horizontally. */
const longest = 1200;

/** The line of filters between summary and table. */
export function FilterLine({
  figures,
  isSearching,
}: {
  figures: RowFigures;
  /** True while the figures still belong to the previous search or filter. */
  isSearching: boolean;
}) {
  const [view, setView] = useView();
  const { indices } = useSelection();
  const line = useRef<HTMLElement>(null);
  const width = useWidth(line);
  const { filtered, total, summary } = figures;
  const takesLong = useDelayed(isSearching, 300);
  const groups = lineValues(
    summary.facets,
    view.filters,
    width <= 640 ? longest : width - endWidth,
  );
  return (
    <nav aria-label="Filters" ref={line} className={styles.line}>
      {groups.map(([kind, values]) => (
        <Fragment key={kind}>
          <span className={styles.group}>{groupNames[kind]}</span>
          {values.map(({ value, count: left }) => (
            <Pill key={value} kind={kind} value={value} count={left} />
          ))}
        </Fragment>
      ))}
      <FilterButton figures={figures} />
      <span className={styles.space} />
      {indices.size > 0 && (
        <span className={styles.number}>
          <b>{count(indices.size)}</b> selected
        </span>
      )}
      <span className={styles.number} role="status">
        {takesLong ? (
          `Searching ${counted(total, 'result')} …`
        ) : (
          <>
            <b>{count(filtered)}</b> of {count(total)}
          </>
        )}
      </span>
      {isFiltered(view) && (
        <Button
          look="ghost"
          small
          className={styles.button}
          onClick={() => setView(withoutFilters)}
        >
          Clear
        </Button>
      )}
    </nav>
  );
}

function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(1440);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setWidth(current.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
