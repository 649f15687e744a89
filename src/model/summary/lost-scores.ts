import { renderCount } from '../../text/count-text.js';
import { namesText } from '../../text/usage-text.js';
import { countedOf, type RowFacts } from '../result.js';

/** Results that lack scores which they had before their stored form was graded again. */
export interface LostScores {
  readonly results: number;
  readonly keys: readonly string[];
}

/** The lost scores of the attempts that count; `undefined` for none. Errors have no verdict to lose. */
export function lostScoresOf(rows: readonly RowFacts[]): LostScores | undefined {
  const lost = rows.map(countedOf).flatMap(({ status, pruned, lostScores = [] }) => {
    return status === 'completed' && pruned !== true && lostScores.length > 0 ? [lostScores] : [];
  });
  return lost.length === 0 ? undefined : { results: lost.length, keys: [...new Set(lost.flat())] };
}

/** `3 results have lost scores (right) since the stored form was graded, which is not what the target returned`. */
export function lostScoresText({ results, keys }: LostScores): string {
  const have = results === 1 ? 'result has' : 'results have';
  return `${renderCount(results)} ${have} lost scores (${namesText(keys, '')}) since the stored form was graded, which is not what the target returned`;
}
