import { useEffect, useMemo, useRef } from 'react';
import { useRowIndices } from '../../api/row-queries.js';
import { neighbours } from './neighbours.js';
import type { Steps } from './steps.js';

/** Where a result stands among the rows of a view of its run. */
export function useRowSteps(run: string, index: number, query: string, isWalked: boolean): Steps {
  const { data: list } = useRowIndices(run, query, isWalked);
  // A result that is corrected may leave the filter; the walk goes on from where it was.
  const before = useRef<readonly number[]>(undefined);
  useEffect(() => {
    if (list?.includes(index)) before.current = list;
  }, [list, index]);
  return useMemo(() => {
    const { position, count, previous, next } = neighbours(list ?? [], index, before.current);
    const step = (to: number | undefined) =>
      to === undefined ? undefined : { run, index: to, state: null };
    return {
      position,
      count,
      previous: step(previous),
      next: step(next),
      isRead: list !== undefined,
    };
  }, [run, list, index]);
}
