import type { Change } from '../../compare/cases/change.js';
import { isFinished, passes, type RowFacts } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';

/** The trials of a case in one run, and the change of the case. */
export interface ComparedTrials {
  readonly rows: readonly RowFacts[];
  readonly change: Change | null;
}

/**
 * The position of the trial that explains the change of a case best; the first run is the base. It is the first trial
 * that regressed or was fixed like the case in any run, else the first with another verdict or output than in the base,
 * else 0.
 */
export function decisiveTrial([base, ...others]: readonly ComparedTrials[]): number {
  let decisive = 0;
  let most = 0;
  for (const [place, before] of base?.rows.entries() ?? []) {
    for (const { rows, change } of others) {
      const after = rows[place];
      const weight = after === undefined ? 0 : weightOf(before, after, change);
      if (weight <= most) continue;
      most = weight;
      decisive = place;
    }
  }
  return decisive;
}

function weightOf(before: RowFacts, after: RowFacts, change: Change | null): number {
  if (!isFinished(before) || !isFinished(after)) return 0;
  const gain = Number(passes(after)) - Number(passes(before));
  if (change === 'regressed' && gain < 0) return 4;
  if (change === 'fixed' && gain > 0) return 3;
  if (standingOf(before) !== standingOf(after)) return 2;
  return before.outputHash === after.outputHash ? 0 : 1;
}
