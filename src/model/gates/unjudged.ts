import { renderCount } from '../../text/count-text.js';
import type { ScoreFacts } from '../scores/score.js';
import type { GatedRun, GateVerdict } from './gate-verdict.js';

interface Counts {
  /** Results that have what is judged. */
  readonly having: number;
  /** Results without errors that lack it. */
  readonly lacking: number;
  /** Results in all. */
  readonly of: number;
}

/**
 * A verdict with how many results have what is judged, `it` or `a verdict`, where some do not: one of 400 may be all that it is of. Errors
 * are said elsewhere.
 */
export function besideUnjudged(
  verdict: GateVerdict,
  what: string,
  { having, lacking, of }: Counts,
): GateVerdict {
  if (lacking === 0 || verdict.verdict === 'cannot-tell') return verdict;
  const have = (count: number) => (count === 1 ? 'has' : 'have');
  const some = `${renderCount(having)} of ${renderCount(of)} results ${have(having)} ${what}`;
  const others = `${renderCount(lacking)} ${have(lacking)} none`;
  return { ...verdict, text: `${verdict.text}; ${some}, ${others}` };
}

/** How many results have a score that counts. */
export function countScored(
  { rows }: GatedRun,
  key: string,
  counts: (score: ScoreFacts) => boolean,
): Counts {
  let [having, lacking, of] = [0, 0, 0];
  for (const row of rows) {
    const { status, scores } = row.counted ?? row;
    if (row.pruned === true || (status !== 'completed' && status !== 'error')) continue;
    of += 1;
    if (scores.some((score) => score.key === key && counts(score))) having += 1;
    else if (status === 'completed') lacking += 1;
  }
  return { having, lacking, of };
}
