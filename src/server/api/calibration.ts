import { z } from 'zod';
import { calibrateRun } from '../../compare/calibrate-run.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { Workspace } from '../workspace/workspace.js';
import { count, runIdParams } from './values.js';

/** Tells how far judges can be trusted. */
export function calibrationRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/calibration',
      operation: 'getCalibration',
      tag: 'Review',
      summary: 'How far the judges of a run can be trusted, by the labels of people.',
      description:
        'One entry for each score with labels and each version of its rubric, the newest first. Only labels of results that were drawn at random, with the output that they had then, count. With fewer than 20 results that people passed, or failed, `missing` says so in place of figures. The last list has the results on which people and judge disagree: do not show it to somebody who has still to label them.',
      params: runIdParams,
      answer: { description: 'The judges.', schema: runCalibration },
      handle: async ({ params, onEnd }) => {
        const { rubrics } = await workspace.readReviewSettings();
        return json(calibrateRun(await workspace.read(params.run_id, onEnd), rubrics));
      },
    }),
  ];
}

const bound = z.number().nullable();
const interval = { low: bound, high: bound };
const estimate = z.number();

const labelShare = z
  .object({
    estimate,
    ...interval,
    n: count,
    size: z.number().meta({
      description:
        'Of how many independent results it would be: fewer where trials of a case are alike.',
    }),
  })
  .meta({ id: 'LabelShare', description: 'A share with its 95 % interval.' });

const labelAgreement = z
  .object({ estimate, ...interval, standard_error: z.number() })
  .meta({ id: 'LabelAgreement', description: 'A measure of agreement with its 95 % interval.' });

const calibratedJudge = z
  .object({
    key: z.string(),
    rubric_version: z.string().nullable().meta({
      description: 'The rubric by which people labelled; `null` without one.',
    }),
    judge_versions: z.array(z.string()).meta({
      description: 'Versions of the rubrics of the judge itself; empty if it gives none.',
    }),
    judge_models: z.array(z.string()).meta({
      description: 'The models that the judge called; empty if they are not known.',
    }),
    rubric_changed: z.literal(true).exactOptional().meta({
      description: 'People label some of its results by another rubric now than these labels.',
    }),
    gives: z.enum(['verdicts', 'values']),
    n: count.meta({ description: 'Results that people passed or failed, drawn and judged.' }),
    labels: z.object({
      reviewers: count,
      unsure: count,
      skipped: count,
      tied: count.meta({ description: 'As many reviewers say pass as fail.' }),
      not_judged: count,
      not_drawn: count.meta({
        description: 'Picked by hand, from another run, or ran again since they were drawn.',
      }),
      not_labelled: count.meta({
        description: 'Drawn and judged, and nobody has labelled them by this rubric.',
      }),
    }),
    prevalence: labelShare.nullable().meta({ description: 'The share that people pass.' }),
    confusion: z
      .object({ pass_pass: count, pass_fail: count, fail_pass: count, fail_fail: count })
      .exactOptional()
      .meta({ description: 'By what people said, then what the judge said.' }),
    missing: z
      .object({ passes: count, fails: count, more: count })
      .exactOptional()
      .meta({ description: 'What there is, and about how many more labels it takes.' }),
    figures: z
      .object({
        tpr: labelShare,
        tnr: labelShare,
        agreement: labelAgreement,
        kappa: labelAgreement.nullable(),
        ac1: labelAgreement,
      })
      .exactOptional(),
    alpha: z
      .object({ estimate, ...interval, n: count })
      .exactOptional()
      .meta({ description: "Krippendorff's alpha among reviewers." }),
    judged: z
      .object({ estimate, low: bound.exactOptional(), high: bound.exactOptional(), n: count })
      .meta({ description: 'The pass rate by the judge, or the mean of its values.' }),
    corrected: z
      .object({ estimate, ...interval, lambda: z.number() })
      .exactOptional()
      .meta({ description: 'The rate that people would pass, by prediction-powered inference.' }),
  })
  .meta({ id: 'CalibratedJudge', description: 'How far one judge agrees with people.' });

const { key, rubric_version, gives, n, missing, judged, corrected } = calibratedJudge.shape;

/** The scores of a run that people have labelled. */
export const correctedScores = z
  .array(
    z
      .object({ key, rubric_version, gives, n, judged, missing, corrected })
      .meta({ id: 'CorrectedScore' }),
  )
  .exactOptional()
  .meta({
    description:
      'What people would pass of each score of the whole run that they labelled, by the newest rubric: see `GET …/calibration`. Absent without labels of results drawn at random.',
  });

const disagreement = z
  .object({
    index: count,
    id: z.string(),
    name: z.string().meta({ description: 'The id without its file.' }),
    key: z.string(),
    rubric_version: z.string().nullable(),
    verdict: z.enum(['pass', 'fail']).meta({ description: 'What most reviewers say.' }),
    notes: z.array(z.object({ reviewer: z.string(), note: z.string() })),
    judge: z.object({ passed: z.boolean(), notes: z.string().nullable() }),
  })
  .meta({ id: 'JudgeDisagreement', description: 'A result on which people and judge disagree.' });

const runCalibration = z
  .object({
    run_id: z.string(),
    run_name: z.string(),
    left_to_draw: count.meta({ description: 'Results that can still be drawn.' }),
    judges: z.array(calibratedJudge),
    disagreements: z.array(disagreement),
  })
  .meta({ id: 'RunCalibration' });
