import { mostInShortTable, mostShown } from './report-options.js';
import type { ShownStanding } from './report-rows.js';

/** The shown rows of a table, and the numbers of others. */
export interface ShownRows<T> {
  readonly shown: readonly T[];
  /** The number of errors and failures that are not shown. */
  readonly moreErrors: number;
  readonly moreFailed: number;
}

/** Selects all rows of a short table; of a long one, some errors and some failures. */
export function selectShown<T>(
  items: readonly T[],
  shownStandingOf: (item: T) => ShownStanding,
): ShownRows<T> {
  if (items.length <= mostInShortTable) return { shown: items, moreErrors: 0, moreFailed: 0 };
  const errors: T[] = [];
  const failed: T[] = [];
  for (const item of items) {
    const standing = shownStandingOf(item);
    if (standing === 'error') errors.push(item);
    else if (standing === 'failed') failed.push(item);
  }
  // Half of the room is reserved for each kind.
  const shownErrors = errors.slice(0, Math.max(mostShown / 2, mostShown - failed.length));
  const shownFailed = failed.slice(0, mostShown - shownErrors.length);
  return {
    shown: [...shownErrors, ...shownFailed],
    moreErrors: errors.length - shownErrors.length,
    moreFailed: failed.length - shownFailed.length,
  };
}
