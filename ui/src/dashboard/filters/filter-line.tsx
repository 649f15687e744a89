import { Fragment, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import { isReport } from '../../app/report-mode.js';
import { useShortcut } from '../../app/shortcuts.js';
import { useDelayed } from '../../browser/use-delayed.js';
import { useNarrow } from '../../browser/use-media.js';
import { classNames } from '../../components/class-names.js';
import { Button, buttonClass } from '../../components/controls/button.js';
import { Kbd } from '../../components/controls/kbd.js';
import { loadable } from '../../components/controls/loadable.js';
import { Popup } from '../../components/controls/popup.js';
import { count, counted } from '../../components/figures/figures.js';
import { Icon } from '../../components/icons/icon.js';
import { useChangedRows, useFigures } from '../dashboard-state.js';
import { GroupPicker } from '../groups/group-picker.js';
import { useView } from '../use-view.js';
import { isFiltered, noChoice, withChoice, withoutFilters } from '../view-state.js';
import { ViewPicker } from '../views/view-picker.js';
import styles from './filter-line.module.css';
import panelStyles from './filter-panel.module.css';
import { facetValues, filterName, lineValues, maxDatasets } from './filter-values.js';
import { Pill, pillEnds } from './pill.js';

/** Pixels of the padding of the line and of the gaps around its ends, whose widths are rounded. */
const aroundEnds = 42;
/** The size of texts in the line. */
const textSize = 12;
/** Maximum width of the line where it scrolls horizontally. */
const longest = 1200;

/** The line of filters between summary and table. */
export function FilterLine({
  isSearching,
  tabs,
  found,
}: {
  /** True while the figures still belong to the previous search or filter. */
  isSearching: boolean;
  /** Stand before the filters. */
  tabs: ReactNode;
  /** What matches, in place of the number of results. */
  found: ReactNode;
}) {
  const [view, setView] = useView();
  const line = useRef<HTMLElement>(null);
  const width = useWidth(line);
  const isNarrow = useNarrow();
  const { filtered, total, summary } = useFigures();
  const takesLong = useDelayed(isSearching, 300);
  const changed = useChangedRows().size;
  const isWhole = !isFiltered(withChoice(view, 'changed', noChoice));
  const facets = {
    ...summary.facets,
    ...(changed > 0 && { changed: isWhole ? { count: changed } : {} }),
  };
  const all = lineValues(facets, view.filters, isNarrow ? longest : width, (text) =>
    textWidth(text, textSize),
  );
  const hasDatasetMenu = facetValues('dataset', facets, view.filters.dataset).length > maxDatasets;
  // The menu says which are chosen.
  const groups = all.filter(([kind]) => kind !== 'dataset' || !hasDatasetMenu);
  const ends = pillEnds(groups.flatMap(([, values]) => values));
  // The lines of groups have values alone, so what they are grouped by comes before what may scroll out of sight.
  const isTight = width < 0 && summary.groups !== undefined;
  const picker = (
    <span className={styles.end}>
      <GroupPicker />
    </span>
  );
  return (
    <nav aria-label="Filters" ref={line} className={styles.line}>
      <span className={styles.end}>
        {tabs}
        {!isReport && <ViewPicker />}
      </span>
      {isTight && picker}
      {hasDatasetMenu && (
        <span className={styles.end}>
          <DatasetMenu />
        </span>
      )}
      {groups.map(([kind, values]) => (
        <Fragment key={kind}>
          <span className={styles.group}>{filterName(kind)}</span>
          {values.map(({ value, count: left }) => (
            <Pill key={value} kind={kind} value={value} end={ends(kind, value)} count={left} />
          ))}
        </Fragment>
      ))}
      <span className={styles.end}>
        <FilterButton />
      </span>
      <span className={styles.space} />
      {!isTight && picker}
      <span className={styles.end}>
        <span className="quiet" role="status">
          {takesLong
            ? `Searching ${counted(total, 'result')} …`
            : found || (
                <>
                  <b>{count(filtered)}</b> of {count(total)}
                  {summary.groups && (
                    <span className={styles.groups}>
                      {' '}
                      in {counted(summary.groups.length, 'group')}
                    </span>
                  )}
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
      </span>
    </nav>
  );
}

/** The width that the other parts of the line leave for values, in pixels. */
function useWidth(element: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(1000);
  const measure = useCallback(() => {
    const { current: line } = element;
    if (line === null) return;
    const ends = [...line.querySelectorAll<HTMLElement>(`:scope > .${styles.end}`)];
    const used = ends.reduce((sum, end) => sum + end.offsetWidth, 0);
    setWidth(line.clientWidth - used - aroundEnds);
  }, [element]);
  useLayoutEffect(measure);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    void document.fonts.ready.then(measure);
    return () => observer.disconnect();
  }, [element, measure]);
  return width;
}

const panel = loadable(() => import('./filter-panel.js'));

/** The id of the button for all filters. */
export const filterButtonId = 'filter-button';

/** Opens all filters in a popover, as `f` does. */
function FilterButton() {
  const [isOpen, setOpen] = useState(false);
  useShortcut('filters', () => setOpen(true));
  const parts = panel.use(isOpen);
  return (
    <Popup
      label="Filters"
      isOpen={isOpen && parts !== undefined}
      setOpen={setOpen}
      className={panelStyles.panel ?? ''}
      // Where the line scrolls horizontally, the button may be invisible.
      getAnchorRect={anchorRect}
      button={{
        id: filterButtonId,
        className: classNames(buttonClass({ look: 'ghost', small: true }), styles.button),
        children: (
          <>
            <Icon name="plus" small />
            Filter <Kbd>f</Kbd>
          </>
        ),
      }}
    >
      {parts && <parts.FilterPanel />}
    </Popup>
  );
}

/** All datasets in a popover, where they are too many for the line. */
function DatasetMenu() {
  const [{ filters }] = useView();
  const [isOpen, setOpen] = useState(false);
  const { facets } = useFigures().summary;
  const { include, exclude } = filters.dataset;
  const all = facetValues('dataset', facets, filters.dataset).length;
  const [only] = include.length === 1 && exclude.length === 0 ? include : [];
  const chosen = exclude.length > 0 ? all - exclude.length : include.length;
  const parts = panel.use(isOpen);
  return (
    <Popup
      label="Datasets"
      isOpen={isOpen && parts !== undefined}
      setOpen={setOpen}
      className={panelStyles.panel ?? ''}
      getAnchorRect={anchorRect}
      button={{
        className: styles.pick,
        children: (
          <>
            <span className="quiet">dataset</span>{' '}
            <b className="cut">
              {only ?? (chosen > 0 ? `${count(chosen)} of ${count(all)}` : count(all))}
            </b>
            <Icon name="down" />
          </>
        ),
      }}
    >
      {parts && <parts.ValueList kind="dataset" facets={facets} />}
    </Popup>
  );
}

function anchorRect(button: HTMLElement | null): DOMRect | null {
  const rect = button?.getBoundingClientRect() ?? null;
  if (rect === null || rect.right <= window.innerWidth) return rect;
  return button?.closest('nav')?.getBoundingClientRect() ?? rect;
}

let pen: CanvasRenderingContext2D | null | undefined;

/** The width of a text in the page's font for words, in pixels. */
function textWidth(text: string, size: number): number {
  pen ??= document.createElement('canvas').getContext('2d');
  if (pen === null) return text.length * size * 0.55;
  pen.font = `${size}px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
}
