import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { getResult } from '../../api/client.js';
import { keys } from '../../api/keys.js';
import { useShortcut } from '../../app/shortcuts.js';
import { renderRowQuery, type View } from '../../dashboard/view-state.js';
import { resultAddress } from './addresses.js';
import { type Step, usePairSteps, useRowSteps } from './steps.js';
import type { WayBack } from './way-back.js';

/**
 * Navigates through the results of a view or comparison, and back to where the user came from. Steps requested
 * before their target is known are made as soon as it is.
 */
export function useNavigation(run: string, index: number, view: View, { href, state }: WayBack) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const rowSteps = useRowSteps(
    run,
    index,
    renderRowQuery(view),
    state === null && run !== 'latest',
  );
  const pairSteps = usePairSteps(run, index, state);
  const steps = state === null ? rowSteps : pairSteps;
  const { previous, next, isRead } = steps;
  // Below 0: back.
  const [awaited, setAwaited] = useState(0);

  useEffect(() => {
    const read = setTimeout(() => {
      for (const near of [next, previous]) {
        if (near === undefined) continue;
        void cache.prefetchQuery({
          queryKey: keys.result(near.run, near.index),
          queryFn: ({ signal }) => getResult(near.run, near.index, signal),
        });
      }
    }, 60);
    return () => clearTimeout(read);
  }, [cache, next, previous]);

  const go = useCallback(
    (to: Step | undefined) => {
      // One step back leads to the page before the first step.
      if (to === undefined) return;
      navigate(resultAddress(view, to.run, to.index), { replace: true, state: to.state });
    },
    [navigate, view],
  );
  useShortcut('walk', ({ key }) => {
    const isBack = key === 'k' || key === 'ArrowUp';
    if (isRead) go(isBack ? previous : next);
    else setAwaited((steps) => steps + (isBack ? -1 : 1));
  });
  useEffect(() => {
    if (!isRead || awaited === 0) return;
    const to = awaited < 0 ? previous : next;
    setAwaited(to === undefined ? 0 : awaited - Math.sign(awaited));
    go(to);
  }, [isRead, awaited, previous, next, go]);
  useShortcut('back', () => navigate(href));
  return { ...steps, go };
}

export type Walk = ReturnType<typeof useNavigation>;
