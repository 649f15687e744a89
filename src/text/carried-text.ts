import { countOf, renderCount } from './count-text.js';

/**
 * `219 of 261 pairs carried, left out of the tests`: results that were carried over are the same in both runs, so they
 * say nothing about chance. `undefined` if there are none.
 */
export function carriedText(carried: number, pairs: number): string | undefined {
  if (carried === 0) return undefined;
  return carried === pairs
    ? `all ${countOf(pairs, 'pair')} carried, nothing to test`
    : `${renderCount(carried)} of ${countOf(pairs, 'pair')} carried, left out of the tests`;
}
