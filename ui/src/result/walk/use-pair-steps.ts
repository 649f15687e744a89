import type { Pair } from '../../compare/comparison.js';
import { firstSide } from '../../compare/pairs/pair-words.js';
import { usePairFigures, usePairs } from '../../compare/queries.js';
import { parseCompareView, renderPairQuery } from '../../compare/view-state.js';
import type { Step, Steps } from './steps.js';
import type { OpenedFrom } from './way-back.js';

/** How far a pair that has moved is looked for. */
const nearby = 50;

/** Where a result stands among the pairs of the comparison it was opened from, if it was. */
export function usePairSteps(run: string, index: number, from: OpenedFrom | null): Steps {
  const view = parseCompareView(from?.comparison.replace(/^[^?]*/, '') ?? '');
  const { runs } = view;
  const query = renderPairQuery(view);
  const opened = from?.position ?? 0;
  const { data: figures } = usePairFigures(runs, query);
  const end = Math.min(opened + nearby, figures?.filtered ?? 0);
  const pairAt = usePairs(runs, query, opened - nearby, end);

  const isIt = (at: number) => isOf(pairAt(at), runs.indexOf(run), index);
  // What is corrected may be another change than before, and stand elsewhere.
  const position = placesAround(opened).find(isIt);
  const stepTo = (at: number): Step | undefined => {
    const pair = pairAt(at);
    if (from === null || pair === undefined) return undefined;
    // In the same run, as long as the pair is in it.
    const own = runs.indexOf(run);
    const side = pair.runs[own]?.row ? own : firstSide(pair);
    const row = pair.runs[side]?.row;
    const to = runs[side];
    if (!row || to === undefined) return undefined;
    return { run: to, index: row.index, state: { ...from, position: at } };
  };
  return {
    position,
    count: figures?.filtered ?? 0,
    previous: stepTo((position ?? opened) - 1),
    // Another one stands where one has left.
    next: stepTo(position === undefined ? opened : position + 1),
    isRead: figures !== undefined && pairAt(Math.min(opened, figures.filtered - 1)) !== undefined,
  };
}

/** Positions from the nearest to the furthest. */
function placesAround(middle: number): readonly number[] {
  const away = Array.from({ length: nearby }, (_, n) => n + 1);
  return [middle, ...away.flatMap((by) => [middle - by, middle + by])];
}

/** Whether a pair has a result, or a trial, in one of the runs. */
function isOf(pair: Pair | undefined, side: number, index: number): boolean {
  const row = pair?.runs[side]?.row;
  return row?.index === index || row?.fold?.indices.includes(index) === true;
}
