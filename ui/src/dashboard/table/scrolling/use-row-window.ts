import { type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useLayoutEffect } from 'react';
import { usePageBox } from '../../../browser/use-page-box.js';
import { withActiveLine } from '../../../lists/row-focus.js';
import { lineKey, type TableLayout } from './table-layout.js';

/** Heights of lines in pixels; details are measured. */
const sizes = {
  wide: { row: 28, trial: 28, group: 28 },
  narrow: { row: 72, trial: 52, group: 36 },
} as const;

/** Estimated height of details before they are measured. */
const detailHeight = 96;
const headHeight = 28;

/** Virtualizes the lines of the table: the page scrolls, and the table has the height of all lines. */
export function useRowWindow({
  body,
  layout,
  isNarrow,
  activeLine,
  heights,
  initialTop,
}: {
  body: RefObject<HTMLElement | null>;
  layout: TableLayout;
  isNarrow: boolean;
  /** Stays in the page when out of view, so that it keeps the focus. */
  activeLine: number;
  /** Measured heights of details, by key. */
  heights: Map<string, number>;
  initialTop: () => number;
}) {
  const { top: scrollMargin } = usePageBox(body);
  const size = isNarrow ? sizes.narrow : sizes.wide;
  const rangeExtractor = useCallback(
    (range: Range) => withActiveLine(range, activeLine),
    [activeLine],
  );
  const estimateSize = useCallback(
    (n: number) => {
      const line = layout.at(n);
      return line.kind === 'detail'
        ? (heights.get(String(lineKey(line))) ?? detailHeight)
        : size[line.kind];
    },
    [layout, size, heights],
  );
  const getItemKey = useCallback((n: number) => lineKey(layout.at(n)), [layout]);
  const virtualizer = useWindowVirtualizer({
    count: layout.count,
    estimateSize,
    getItemKey,
    rangeExtractor,
    scrollMargin,
    overscan: 6,
    scrollPaddingStart: isNarrow ? 0 : headHeight,
    initialOffset: initialTop,
    measureElement: (element) => {
      const height = element.getBoundingClientRect().height;
      const key = element.getAttribute('data-key');
      if (key !== null) heights.set(key, height);
      return height;
    },
  });
  // The virtualizer caches sizes by key: reset them when the row height changes.
  useLayoutEffect(() => {
    if (size) virtualizer.measure();
  }, [size, virtualizer]);
  return { virtualizer, scrollMargin };
}
