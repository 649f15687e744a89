import {
  type Calibration,
  calibrationsOf,
  disagreementsOf,
} from '../model/calibration/calibration.js';
import { judgementsOf, leftToDraw, type ReviewedRun } from '../model/calibration/judgements.js';
import { countedOf, fileOf } from '../model/result.js';
import type { StoredRun } from '../store/stored-run.js';

/** A judge with its calibration. */
export interface CalibratedJudge extends Calibration {
  /** Versions of the rubrics of the judge, as it gave them with its scores; none if it says none. */
  readonly judge_versions: readonly string[];
}

/** A result of which people and the judge say the opposite. */
export interface DisagreementJson {
  readonly index: number;
  readonly id: string;
  /** The id without its file, which `assay show` accepts. */
  readonly name: string;
  readonly key: string;
  readonly rubric_version: string | null;
  /** What most reviewers say. */
  readonly verdict: 'pass' | 'fail';
  readonly notes: readonly { readonly reviewer: string; readonly note: string }[];
  readonly judge: { readonly passed: boolean; readonly notes: string | null };
}

/** How far the judges of a run can be trusted: the answer of `assay sessions calibration --json`. */
export interface RunCalibration {
  readonly run_id: string;
  readonly run_name: string;
  /** The results that can be labelled and have not been drawn yet. */
  readonly left_to_draw: number;
  /** By score, and within one the newest rubric first. */
  readonly judges: readonly CalibratedJudge[];
  readonly disagreements: readonly DisagreementJson[];
}

/** Calibrates the judges of a run by its labels. */
export function calibrateRun(run: StoredRun): RunCalibration {
  const reviewed = run.judged();
  const { run_id, run_name } = run.header;
  const judgements = judgementsOf(reviewed);
  const judges = calibrationsOf(judgements).map((one) => ({
    ...one,
    judge_versions: versionsOf(reviewed, one.key),
  }));
  const disagreements = disagreementsOf(judgements).flatMap(
    ({ index, key, rubric_version, judgement, judged }): DisagreementJson[] => {
      const row = run.rows[index];
      if (row === undefined) return [];
      const { pass, fail } = judgement.votes;
      const own = judgement.passed ? pass : fail;
      const notes = own.flatMap(({ reviewer, note }) =>
        note === undefined ? [] : [{ reviewer, note }],
      );
      return [
        {
          ...{ index, id: row.id, name: row.id.slice(fileOf(row).length + 2), key, rubric_version },
          ...({ verdict: judgement.passed ? 'pass' : 'fail', notes } as const),
          judge: { passed: judged, notes: reviewed.judgeOf(index, key)?.notes ?? null },
        },
      ];
    },
  );
  return { run_id, run_name, left_to_draw: leftToDraw(reviewed), judges, disagreements };
}

function versionsOf({ rows }: ReviewedRun, key: string): string[] {
  const versions = rows.flatMap((row) =>
    countedOf(row).scores.flatMap((score) =>
      score.key === key && score.source !== 'human' ? (score.rubric_version ?? []) : [],
    ),
  );
  return [...new Set(versions)].sort();
}
