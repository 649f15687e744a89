import {
  type Calibration,
  calibrationsOf,
  disagreementsOf,
} from '../model/calibration/calibration.js';
import {
  type Judgements,
  judgementsOf,
  leftToDraw,
  type ReviewedRun,
} from '../model/calibration/judgements.js';
import { judgeModelsOf } from '../model/calls/known-usage.js';
import { countedOf, fileOf } from '../model/result.js';
import type { RubricTexts } from '../store/replay/run-review.js';
import type { StoredRun } from '../store/stored-run.js';

/** A judge with its calibration. */
export interface CalibratedJudge extends Calibration {
  /** Versions of the rubrics of the judge, as it gave them with its scores; none if it says none. */
  readonly judge_versions: readonly string[];
  /** The models that the judge called; none if they are not known. */
  readonly judge_models: readonly string[];
  /** People label some of its results by another rubric now than these labels. */
  readonly rubric_changed?: true;
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

/** Calibrates the judges of a run by its labels. `now`: texts of rubrics as the settings of the project have them. */
export function calibrateRun(run: StoredRun, now: RubricTexts = {}): RunCalibration {
  const reviewed = run.judged();
  const { run_id, run_name } = run.header;
  const judgements = judgementsOf(reviewed);
  const isOld = ({ key, rubric_version, population }: Judgements) =>
    evaluationsOf(run, population).some(
      (evaluation) => run.rubricOf(evaluation, key, now)?.version !== rubric_version,
    );
  const judges = calibrationsOf(judgements).map((one, at): CalibratedJudge => {
    const of = judgements[at];
    return {
      ...one,
      judge_versions: of === undefined ? [] : versionsOf(reviewed, of),
      judge_models: of === undefined ? [] : modelsOf(reviewed, of),
      ...(of !== undefined && isOld(of) && { rubric_changed: true }),
    };
  });
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

function evaluationsOf({ rows }: StoredRun, population: readonly number[]): string[] {
  return [...new Set(population.flatMap((index) => rows[index]?.evaluation ?? []))];
}

function versionsOf(run: ReviewedRun, { key, population }: Judgements): string[] {
  const versions = population.flatMap((index) => {
    const row = run.rows[index];
    const given = row && countedOf(row).scores.find((score) => score.key === key);
    const own = given?.source === 'human' ? run.judgeOf(index, key) : given;
    return own?.rubric_version ?? [];
  });
  return [...new Set(versions)].sort();
}

function modelsOf({ rows }: ReviewedRun, { key, population }: Judgements): string[] {
  const models = population.flatMap((index) => {
    const row = rows[index];
    return (row && judgeModelsOf(countedOf(row), key)) ?? [];
  });
  return [...new Set(models)].sort();
}
