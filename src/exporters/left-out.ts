import { isUnused } from '../model/calls/known-usage.js';
import { spentOf, sumOfUsage } from '../model/calls/run-usage.js';
import type { Usage } from '../model/calls/usage.js';
import type { ReadableRun } from '../model/readable-run.js';
import { isFinished } from '../model/result.js';

/** What attempts spent that an export does not contain, by why they are no result of the run; each absent for nothing. */
export interface LeftOut {
  /** Of attempts that later ones have replaced, and of results that have not finished. */
  readonly replaced?: Usage;
  /** Of attempts that were stopped before they had a result. */
  readonly unlisted?: Usage;
}

/** What attempts spent that are in no row: of a part of a run nothing, because it is not known whose they are. */
export function stoppedOf({ head }: Pick<ReadableRun, 'head'>): LeftOut {
  const { unlisted } = head.usage ?? {};
  return unlisted === undefined || unlisted.elsewhere !== undefined ? {} : { unlisted };
}

/** What all attempts spent but the newest of each finished result. */
export function allButNewest(run: ReadableRun): LeftOut {
  let replaced: Usage | undefined;
  for (const row of run.rows) {
    replaced = sumOfUsage(replaced, row.replaced_usage);
    if (!isFinished(row)) replaced = sumOfUsage(replaced, spentOf(row));
  }
  return { ...stoppedOf(run), ...(replaced && !isUnused(replaced) && { replaced }) };
}

/** Both parts together; `undefined` for nothing. */
export function allLeftOut({ replaced, unlisted }: LeftOut): Usage | undefined {
  return sumOfUsage(replaced, unlisted);
}
