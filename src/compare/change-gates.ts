import type { GateVerdict } from '../model/gates.js';
import { isNewFailure } from './change.js';
import type { Comparison } from './compare-cases.js';
import { cannotCompare, listOf } from './gate-text.js';
import { type FullPair, isFullPair } from './pair-cases.js';

/** What the gate against new failures says. */
export interface NewFailuresVerdict extends GateVerdict {
  /** Ids of cases that passed and fail now, in the order of the base. */
  readonly failed: readonly string[];
}

/**
 * Says no when anything that passed fails now, by chance or not: see `isNewFailure`. Cases that only one run has
 * do not count. Cannot tell when no case is in both runs.
 */
export function judgeNewFailures({ pairs }: Comparison): NewFailuresVerdict {
  const full = pairs.filter(isFullPair);
  if (full.length === 0) return { ...cannotCompare, failed: [] };
  const failures = full.filter(({ base, other }) => isNewFailure(base, other));
  const failed = failures.map(({ id }) => id);
  return failed.length === 0
    ? { verdict: 'yes', text: 'nothing that passed fails now', failed }
    : {
        verdict: 'no',
        text: `passed before and fails now: ${listOf(failures.map(failureText))}`,
        failed,
      };
}

/** An error may be the fault of a provider, so it is told apart from a failure. */
function failureText({ id, other }: FullPair): string {
  const notPassed = other.judged - other.passes;
  return other.errors !== undefined && other.errors >= notPassed ? `${id} (error)` : id;
}

/** What the gate against missing evaluations says. */
export interface MissingVerdict extends GateVerdict {
  /** Ids of cases that are in the base and not in the other run. */
  readonly gone: readonly string[];
  /** Ids of cases that finished in the base, and of which no trial has finished in the other run. */
  readonly unfinished: readonly string[];
}

/** Says no when a case that finished in the base is gone or has not finished. New ones never count. */
export function judgeMissing({ pairs }: Comparison): MissingVerdict {
  const finished = pairs.filter(({ base }) => base !== undefined && base.trials > 0);
  const gone = finished.filter(({ other }) => other === undefined).map(({ id }) => id);
  const unfinished = finished.filter(({ other }) => other?.trials === 0).map(({ id }) => id);
  const parts = [
    ...(gone.length > 0 ? [`gone: ${listOf(gone)}`] : []),
    ...(unfinished.length > 0 ? [`not finished: ${listOf(unfinished)}`] : []),
  ];
  return parts.length === 0
    ? { verdict: 'yes', text: 'nothing of the baseline is missing', gone, unfinished }
    : { verdict: 'no', text: parts.join('; '), gone, unfinished };
}
