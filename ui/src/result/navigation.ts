import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { getResult } from '../api/client.js';
import { keys } from '../api/keys.js';
import { useRowIndices } from '../api/row-queries.js';
import type { Pair } from '../api/schema.js';
import { useShortcut } from '../app/shortcuts.js';
import { alikeBase, firstSide } from '../compare/pairs/pair-words.js';
import { usePairFigures, usePairs } from '../compare/queries.js';
import { parseCompareView, renderPairQuery } from '../compare/view-state.js';
import { renderRowQuery, type View } from '../dashboard/view-state.js';
import { neighbours, resultAddress, tableAddress, viewWord } from './addresses.js';

/** The history state of a result that was opened from a comparison, a matrix or the calls of a run. */
interface OpenedFrom {
  /** The URL of that page. */
  readonly comparison: string;
  /** The position of the pair among the matching ones. */
  readonly position: number;
}

/** The way back from a result: to the comparison, or to the table with its view. */
export interface WayBack {
  readonly href: string;
  readonly text: string;
  /** Passed on with each navigation, so that the way back stays the same. */
  readonly state: OpenedFrom | null;
}

export function useWayBack(view: View): WayBack {
  const state = useHistoryState<Partial<OpenedFrom> | null>();
  const comparison = state?.comparison;
  const position = Math.max(0, Math.trunc(Number(state?.position)) || 0);
  const [, page] =
    /^\/(compare|compare\/prompts|matrix|runs\/[^/]+\/calls)(?=\?|$)/.exec(String(comparison)) ??
    [];
  const href = typeof comparison === 'string' && page !== undefined ? comparison : undefined;
  const from = useMemo(
    () => (href === undefined ? null : { comparison: href, position }),
    [href, position],
  );
  if (from === null) return { href: tableAddress(view), text: 'Results', state: null };
  return {
    href: from.comparison,
    text:
      page === 'matrix'
        ? 'Matrix'
        : page === 'compare'
          ? 'Compare'
          : page === 'compare/prompts'
            ? 'Prompt'
            : 'Calls',
    state: from,
  };
}

/** Whether the next results are those of the table of the run: of a comparison they are its pairs. */
function isOfTable(state: OpenedFrom | null): boolean {
  return state?.comparison.startsWith('/compare?') !== true;
}

/** Pairs in each direction that are searched for a pair that moved. */
const nearby = 50;

/**
 * Navigates through the results of a view or comparison, and back to where the user came from. Steps requested
 * before their target is known are made as soon as it is.
 */
export function useNavigation(run: string, index: number, view: View) {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const back = useWayBack(view);
  const isByRow = isOfTable(back.state);
  const rowSteps = useRowSteps(run, index, view, back.state);
  const pairSteps = usePairSteps(run, index, isByRow ? null : back.state);
  const steps = isByRow ? rowSteps : pairSteps;
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
  useShortcut('back', () => navigate(back.href));
  return { ...steps, go, back, view, word: isByRow ? viewWord(view) : 'pairs' };
}

/** Where a result is among others, what they are, and the ways on and back. */
export type Walk = ReturnType<typeof useNavigation>;

/** A result to go to. */
interface Step {
  readonly run: string;
  readonly index: number;
  /** Passed on, so that the way back stays the same. */
  readonly state: OpenedFrom | null;
}

/** The position of a result in the list that previous and next step through. */
interface Steps {
  /** From 0; absent when the result is not among them. */
  readonly position: number | undefined;
  readonly count: number;
  readonly previous: Step | undefined;
  readonly next: Step | undefined;
  readonly isRead: boolean;
  /** The same case in the base of the comparison, unless this is the base. */
  readonly base: { readonly run: string; readonly index: number } | undefined;
}

/** The position of a result among the rows of a view of its run. */
function useRowSteps(run: string, index: number, view: View, from: OpenedFrom | null): Steps {
  const isWanted = isOfTable(from) && run !== 'latest';
  const { data: list } = useRowIndices(run, renderRowQuery(view), isWanted);
  // A corrected result may no longer match the filter; navigation continues from its last position.
  const before = useRef<readonly number[]>(undefined);
  useEffect(() => {
    if (list?.includes(index)) before.current = list;
  }, [list, index]);
  return useMemo(() => {
    const { position, count, previous, next } = neighbours(list ?? [], index, before.current);
    const step = (to: number | undefined) =>
      to === undefined ? undefined : { run, index: to, state: from };
    return {
      position,
      count,
      previous: step(previous),
      next: step(next),
      isRead: list !== undefined,
      base: undefined,
    };
  }, [run, list, index, from]);
}

/** The position of a result among the pairs of the comparison that it was opened from. */
function usePairSteps(run: string, index: number, from: OpenedFrom | null): Steps {
  const view = parseCompareView(from?.comparison.replace(/^[^?]*/, '') ?? '');
  const { runs } = view;
  const query = renderPairQuery(view);
  const opened = from?.position ?? 0;
  const { data: figures } = usePairFigures(runs, query);
  const end = Math.min(opened + nearby, figures?.filtered ?? 0);
  const { at: pairAt } = usePairs(runs, query, opened - nearby, end);

  const isIt = (at: number) => isOf(pairAt(at), runs.indexOf(run), index);
  // After a correction the pair may have another change, and another position.
  const position = placesAround(opened).find(isIt);
  const stepTo = (at: number): Step | undefined => {
    const pair = pairAt(at);
    if (from === null || pair === undefined) return undefined;
    // Stays in the same run if the pair is in it.
    const own = runs.indexOf(run);
    const side = pair.runs[own]?.row ? own : firstSide(pair);
    const row = pair.runs[side]?.row;
    const to = runs[side];
    if (!row || to === undefined) return undefined;
    return { run: to, index: row.index, state: { ...from, position: at } };
  };
  const pair = position === undefined ? undefined : pairAt(position);
  const own = pair?.runs[runs.indexOf(run)]?.row;
  const baseRow = pair?.runs[0]?.row;
  const baseRun = runs.indexOf(run) > 0 ? runs[0] : undefined;
  const baseSide = own && baseRow ? alikeBase(baseRow, own) : null;
  return {
    base: baseRun && baseSide ? { run: baseRun, index: baseSide.index } : undefined,
    position,
    count: figures?.filtered ?? 0,
    previous: stepTo((position ?? opened) - 1),
    // When the pair has left the list, the next one has its position.
    next: stepTo(position === undefined ? opened : position + 1),
    isRead: figures !== undefined && pairAt(Math.min(opened, figures.filtered - 1)) !== undefined,
  };
}

/** Positions from the nearest to the furthest. */
function placesAround(middle: number): readonly number[] {
  const away = Array.from({ length: nearby }, (_, n) => n + 1);
  return [middle, ...away.flatMap((by) => [middle - by, middle + by])];
}

/** True if a pair has a result, or a trial, in one of the runs. */
function isOf(pair: Pair | undefined, side: number, index: number): boolean {
  const row = pair?.runs[side]?.row;
  return row?.index === index || row?.fold?.indices.includes(index) === true;
}
