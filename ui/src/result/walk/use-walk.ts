import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { getResult } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useRowIndices } from '../../api/row-queries.js';
import { useShortcut } from '../../app/shortcuts.js';
import { renderRowQuery, type View } from '../../dashboard/view-state.js';
import { resultAddress } from './addresses.js';
import { type Neighbours, neighbours } from './neighbours.js';
import type { WayBack } from './way-back.js';

const none: Neighbours = { position: undefined, count: 0, previous: undefined, next: undefined };

/** Walks through the results that the view shows, and back to where the reader came from. */
export function useWalk(run: string, index: number, view: View, { href, state }: WayBack) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const { data: list } = useRowIndices(run, renderRowQuery(view));
  // A result that is corrected may leave the filter; the walk goes on from where it was.
  const before = useRef<readonly number[]>(undefined);
  useEffect(() => {
    if (list?.includes(index)) before.current = list;
  }, [list, index]);
  const found = useMemo(
    () => (list === undefined ? none : neighbours(list, index, before.current)),
    [list, index],
  );
  const { previous, next } = found;

  useEffect(() => {
    const read = setTimeout(() => {
      for (const near of [next, previous]) {
        if (near === undefined) continue;
        void cache.prefetchQuery({
          queryKey: keys.result(run, near),
          queryFn: ({ signal }) => getResult(run, near, signal),
        });
      }
    }, 60);
    return () => clearTimeout(read);
  }, [cache, run, next, previous]);

  const go = useCallback(
    (to: number | undefined) => {
      // One step back leads to the table, however far the walk was.
      if (to !== undefined) navigate(resultAddress(view, run, to), { replace: true, state });
    },
    [navigate, view, run, state],
  );
  useShortcut('walk', ({ key }) => go(key === 'k' || key === 'ArrowUp' ? previous : next));
  useShortcut('back', () => navigate(href));
  return { ...found, isRead: list !== undefined, go };
}

export type Walk = ReturnType<typeof useWalk>;
