import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import { useMedia } from '../../browser/use-media.js';
import { usePageBox } from '../../browser/use-page-box.js';
import { withActiveLine } from '../../lists/row-focus.js';
import { type PairFigures, usePairs } from '../queries.js';

/** Estimated height of a row in pixels: two lines of output. */
const rowHeight = 68;
/** Rows to load before and after the visible ones. */
const readAhead = 60;
/** Pixels of the column of evaluations, and between columns, as in the style sheet. */
const idWidth = 250;
const gap = 24;

/** Virtualizes the pairs: the visible ones, their positions, and the width of a run's column; below 900 pixels runs are below each other. */
export function usePairWindow({
  body,
  runIds,
  figures: { query, filtered },
  current,
  measured,
}: {
  body: RefObject<HTMLElement | null>;
  runIds: readonly string[];
  figures: PairFigures;
  current: number;
  /** Cached heights. */
  measured: VirtualItem[];
}) {
  const { top, width } = usePageBox(body);
  const isStacked = useMedia('(max-width: 900px)');
  const gutter = useMedia('(max-width: 640px)') ? 12 : 16;
  const list = useWindowVirtualizer({
    count: filtered,
    estimateSize: () => rowHeight,
    overscan: 8,
    scrollMargin: top,
    scrollPaddingStart: 28,
    initialMeasurementsCache: measured,
    rangeExtractor: (range) => withActiveLine(range, current),
  });
  const { startIndex, endIndex } = list.range ?? { startIndex: 0, endIndex: 30 };
  const pairs = usePairs(
    runIds,
    query,
    Math.max(0, startIndex - readAhead),
    Math.min(filtered, endIndex + readAhead),
  );
  const inner = width - 2 * gutter;
  const columns = inner - Math.min(idWidth, width * 0.2) - gap * runIds.length;
  const columnWidth = Math.round(isStacked ? inner - 26 : columns / runIds.length);
  return { list, top, pairs, columnWidth, isStacked };
}
