import { mostInShortTable, mostShown } from './report-options.js';
import type { ShownStanding } from './report-rows.js';

/** What of a table is shown, and what is only counted. */
export interface Selection<T> {
  readonly shown: readonly T[];
  /** Errors and failures that are not shown. */
  readonly moreErrors: number;
  readonly moreFailed: number;
}

/** All of a short table; of a long one some errors, then some failures. */
export function selectShown<T>(
  items: readonly T[],
  shownStandingOf: (item: T) => ShownStanding,
): Selection<T> {
  if (items.length <= mostInShortTable) return { shown: items, moreErrors: 0, moreFailed: 0 };
  const errors: T[] = [];
  const failed: T[] = [];
  for (const item of items) {
    const standing = shownStandingOf(item);
    if (standing === 'error') errors.push(item);
    else if (standing === 'failed') failed.push(item);
  }
  // Neither kind crowds out the other.
  const shownErrors = errors.slice(0, Math.max(mostShown / 2, mostShown - failed.length));
  const shownFailed = failed.slice(0, mostShown - shownErrors.length);
  return {
    shown: [...shownErrors, ...shownFailed],
    moreErrors: errors.length - shownErrors.length,
    moreFailed: failed.length - shownFailed.length,
  };
}
