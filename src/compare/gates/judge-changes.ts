import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { isNewFailure } from '../cases/change.js';
import { lostTexts } from '../cases/lost-text.js';
import { alikePairs, type FullPair, isFullPair, testedPairs } from '../cases/pair-cases.js';
import type { Comparison } from '../compare-cases.js';
import { cannotCompare, listOf } from './gate-text.js';

/** Verdict of the gate against new failures. */
export interface NewFailuresVerdict extends GateVerdict {
  /** Ids of cases that passed and fail now, in the order of the base. */
  readonly failed: readonly string[];
}

/**
 * Fails when a case that passed fails now, by chance or not: see `isNewFailure`. Ignores cases that only one run
 * has. The verdict is unknown when no case is in both runs.
 */
export function judgeNewFailures({ pairs }: Comparison): NewFailuresVerdict {
  const full = alikePairs(pairs.filter(isFullPair));
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

/** Marks errors, because they may be the fault of a provider. */
function failureText({ id, other }: FullPair): string {
  const notPassed = other.judged - other.passes;
  return other.errors !== undefined && other.errors >= notPassed ? `${id} (error)` : id;
}

/** Verdict of the gate against what is missing. */
export interface MissingVerdict extends GateVerdict {
  /** Ids of cases that are in the base but not in the other run. */
  readonly gone: readonly string[];
  /** Ids of cases that finished in the base, but have no finished trial in the other run. */
  readonly unfinished: readonly string[];
  /** Ids of cases of which a smaller part has a verdict, or a score, than in the base. */
  readonly lost: readonly string[];
}

/**
 * Fails when a case that finished in the base is gone or unfinished, or has lost its verdict or a score. New cases are
 * ignored.
 */
export function judgeMissing({ pairs, summary }: Comparison): MissingVerdict {
  const finished = pairs.filter(({ base }) => base !== undefined && base.trials > 0);
  const gone = finished.filter(({ other }) => other === undefined).map(({ id }) => id);
  const unfinished = finished.filter(({ other }) => other?.trials === 0).map(({ id }) => id);
  const lost = testedPairs(finished.filter(isFullPair)).flatMap((pair) =>
    pair.lost === undefined ? [] : [pair.id],
  );
  const parts = [
    ...(gone.length > 0 ? [`gone: ${listOf(gone)}`] : []),
    ...(unfinished.length > 0 ? [`not finished: ${listOf(unfinished)}`] : []),
    ...(lost.length > 0 ? [`${lostTexts(summary.lost).join(', ')}: ${listOf(lost)}`] : []),
  ];
  return parts.length === 0
    ? { verdict: 'yes', text: 'nothing of the baseline is missing', gone, unfinished, lost }
    : { verdict: 'no', text: parts.join('; '), gone, unfinished, lost };
}
