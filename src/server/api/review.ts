import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { AssayError } from '../../errors.js';
import { labelFormats, renderLabels } from '../../exporters/labels.js';
import { labelVerdicts, type ReviewLabel, stratifiedBy } from '../../model/labels.js';
import { maxScoreKeyLength } from '../../model/scores/score-limits.js';
import { outputToLabel } from '../../store/review.js';
import type { StoredRun } from '../../store/stored-run.js';
import { ProblemError } from '../http/problem.js';
import { defineRoute, json, type Route } from '../http/route.js';
import { Review, readBlindValues } from '../workspace/review.js';
import type { Workspace } from '../workspace/workspace.js';
import { call, span } from './call.js';
import { cluster } from './result.js';
import {
  count,
  jsonObject,
  jsonValue,
  ok,
  optional,
  resultParams,
  reviewerName,
  runParams,
  shownAs,
  withoutNulls,
} from './values.js';

const tag = 'Review';

const scoreKey = z.string().min(1).max(maxScoreKeyLength);

const keysQuery = z.array(scoreKey).optional().meta({
  description: 'Keys of the scores to label; may be given several times. Default: all of the run.',
});
const reviewQuery = z.strictObject({
  reviewer: z
    .array(reviewerName)
    .max(1, { error: 'must be given once' })
    .transform(([name]) => name)
    .optional()
    .meta({
      description: 'Who labels. Default: the setting `reviewer`.',
      override: shownAs({ type: 'string' }),
    }),
  key: keysQuery,
});

/** Labels by people, who are shown nothing of what a judge said of a result before they have labelled it. */
export function reviewRoutes(workspace: Workspace): Route[] {
  const open = async (
    run: StoredRun,
    { reviewer, key: keys = [] }: { reviewer?: string | undefined; key?: string[] | undefined },
  ) => {
    const { rubrics, reviewer: usual } = await workspace.readReviewSettings();
    const name = reviewer ?? usual;
    const review = new Review(run, { reviewer: name, rubrics, keys });
    refuseUnknown(review, keys);
    return { review, reviewer: name, rubrics };
  };
  return [
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/review/sample',
      operation: 'drawSample',
      tag,
      summary: 'Draws results at random to be labelled.',
      description:
        'Of the results with an output that counts, without an error, that are in no sample of the same `by` and `key`: a further sample adds to those before it. Nothing left to draw: 400.',
      params: runParams,
      body: sampleBody,
      answer: { description: 'The sample.', schema: drawnSample },
      problems: [409, 507],
      handle: async ({ params, body }) => {
        const { size, by = 'none', key, seed = randomInt(2 ** 32) } = body;
        const { id, strata } = await workspace.edit(params.run_id, [], (run) =>
          run.drawSample({ size, by, key, seed }),
        );
        const drawn = strata.reduce((sum, one) => sum + one.drawn.length, 0);
        return json({ ok: true, sample: { id, drawn } });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/review',
      operation: 'getReview',
      tag,
      summary: 'The results to label, and what a reviewer has said of them.',
      description:
        'Those of samples in the order in which they were drawn, then those picked by hand. Nothing in it says what a judge said.',
      params: runParams,
      query: reviewQuery,
      answer: { description: 'The queue.', schema: reviewQueue },
      handle: async ({ params, query, onEnd }) => {
        const run = await workspace.read(params.run_id, onEnd);
        const { review, reviewer } = await open(run, query);
        const { queue, progress } = review.read();
        const total = queue.length;
        const { run_name, session_name } = run.header;
        const of = { run_name, session_name, reviewer };
        return json({ ...of, keys: review.keys, total, ...progress, queue });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/review/{index}',
      operation: 'getReviewedResult',
      tag,
      summary: 'One result to label.',
      description:
        'Without scores, error, annotation, trace data and calls of evaluators. Metadata is as it was authored. `judges` has the scores that the reviewer has labelled. A result without an output that counts: 409.',
      params: resultParams,
      query: reviewQuery,
      answer: { description: 'The result.', schema: reviewedResult },
      problems: [409],
      handle: async ({ params: { run_id, index }, query, onEnd }) => {
        const run = await workspace.read(run_id, onEnd);
        const { review } = await open(run, query);
        return json(await reviewed(run, review, index));
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/runs/{run_id}/review/{index}',
      operation: 'labelResult',
      tag,
      summary: 'Labels a score of a result, or takes the label back.',
      description:
        'The label is on disk when this answers. Scores stay as they are. The answer has what the judge said, unless the label is `skipped` or `null`. 409: the rubric or the output has changed since it was read, or the result has no output that counts.',
      params: resultParams,
      query: z.strictObject({ key: keysQuery }),
      body: labelBody,
      answer: { description: 'The label.', schema: labelled },
      problems: [409, 507],
      handle: async ({ params: { run_id, index }, query, body }) => {
        const { key, verdict, note, reviewer, sample, rubric_version, output_hash } = body;
        return workspace.edit(run_id, [index], async (run) => {
          const { review, rubrics } = await open(run, { reviewer, key: query.key });
          refuseUnknown(review, [key]);
          const { evaluation = '' } = run.rows[index] ?? {};
          const current = run.rubricOf(evaluation, key, rubrics)?.version;
          refuseOldRubric(key, rubric_version, current);
          refuseOtherOutput(output_hash, outputToLabel(run, index));
          const given = { index, key, verdict, reviewer, note, sample };
          const version = current !== undefined && { rubric_version: current };
          await run.addLabels([{ ...given, ...version }], rubrics);
          const label = review.labelsOf(index).find((one) => one.key === key);
          const judge = review.judgeOf(index, key) ?? null;
          return json({ ok: true, label: label ?? null, judge, ...review.read().progress });
        });
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/labels',
      operation: 'getLabels',
      tag,
      summary: 'The labels of a run, as `assay export --labels` writes them.',
      description:
        'Of each result, score, reviewer and version of the rubric the last label of the output that counts. `json` has the samples, too; `csv` and `jsonl` are files.',
      params: runParams,
      query: z.strictObject({ format: formatParameter }),
      answer: { description: 'The labels.', schema: labelList },
      handle: async ({ params, query: { format = 'json' }, onEnd }) => {
        const run = await workspace.read(params.run_id, onEnd);
        const { text, contentType } = renderLabels(run, format);
        const fileName = format === 'json' ? {} : { fileName: `${run.runId}-labels.${format}` };
        return { kind: 'text', contentType, pieces: once(text), ...fileName };
      },
    }),
  ];
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}

/** Error: `bad-request` for a score that no result has. */
function refuseUnknown(review: Review, asked: readonly string[]): void {
  const known = new Set(review.keys.map(({ key }) => key));
  const unknown = asked.find((key) => !known.has(key));
  if (unknown === undefined) return;
  const shown = JSON.stringify(unknown);
  throw new AssayError('bad-request', `This run has no score ${shown}, and no rubric of it.`);
}

function refuseOldRubric(key: string, given: string | undefined, current: string | undefined) {
  if (given === undefined || given === current) return;
  throw new ProblemError(409, `The rubric of ${key} has changed since it was read; read it again.`);
}

function refuseOtherOutput(given: string | undefined, current: string): void {
  if (given === undefined || given === current) return;
  throw new ProblemError(409, 'The result has another output since it was read; read it again.');
}

/** Error: `no-such-result`, `no-output`. */
async function reviewed(run: StoredRun, review: Review, index: number) {
  const output_hash = outputToLabel(run, index);
  const { input, output, reference, metadata, messages } = await readBlindValues(run, index);
  const { result: _, labels: row_labels, ...entry } = run.entry(index);
  const { id, dataset, trial, trial_of, cluster: of } = entry;
  const row = run.rows[index] ?? { evaluation: '' };
  const trace = run.counted.trace(index);
  const [calls, spans = []] = [trace.calls, trace.spans].map((list) =>
    list?.filter(({ role }) => role === 'target'),
  );
  const mine = review.labelsOf(index);
  const judges = mine.flatMap(({ key }) => {
    const judge = review.judgeOf(index, key);
    return judge === undefined ? [] : [[key, judge] as const];
  });
  return {
    ...{ index, id, function: entry.function, dataset, row_labels },
    ...(trial !== undefined && { trial, trial_of }),
    ...(of !== undefined && { cluster: of }),
    ...{ input, output, output_hash, reference, metadata },
    ...(messages !== undefined && { messages }),
    ...(calls && calls.length > 0 && { calls }),
    ...(spans.length > 0 && { spans }),
    keys: review.keysOf(row),
    rubrics: review.rubricsOf(row),
    labels: Object.fromEntries(mine.map((label) => [label.key, label])),
    judges: Object.fromEntries(judges),
  };
}

const formatParameter = z
  .array(z.enum(labelFormats))
  .max(1, { error: 'must be given once' })
  .transform(([format]) => format)
  .optional()
  .meta({
    description: 'Default: `json`.',
    override: shownAs({ type: 'string', enum: labelFormats }),
  });

const sampleBody = z
  .strictObject({
    size: z.int().positive().max(100_000).meta({ description: 'How many results to draw.' }),
    by: optional(z.enum(stratifiedBy)).meta({
      description:
        'Draws from each dataset, in proportion to its results; or as many of each verdict of the score `key`. Default: `none`.',
    }),
    key: optional(scoreKey).meta({ description: 'Only with `by` `verdict`.' }),
    seed: optional(count).meta({
      description: 'The same seed draws the same. Default: at random.',
    }),
  })
  .transform(withoutNulls)
  .meta({ id: 'SampleBody' });

const drawnSample = z
  .object({ ok, sample: z.object({ id: z.string(), drawn: count }) })
  .meta({ id: 'DrawnSample' });

const rubric = z
  .object({
    version: z.string().meta({ description: 'Changes with the text: 12 hexadecimal digits.' }),
    text: z.string(),
  })
  .meta({ id: 'Rubric', description: 'The text by which people label.' });

const verdict = z.enum(labelVerdicts);

/** A label of a result. */
const reviewLabel = z
  .object({
    at: z.iso.datetime({ precision: 3 }),
    index: count,
    key: z.string(),
    verdict,
    note: z.string().exactOptional(),
    reviewer: z.string(),
    rubric_version: z.string().exactOptional(),
    sample: z.string().exactOptional().meta({
      description: 'The sample in which the result was drawn; absent if it was picked by hand.',
    }),
    output_hash: z.string(),
  })
  .meta({ id: 'ReviewLabel' });
reviewLabel satisfies z.ZodType<ReviewLabel>;

const stratum = z.object({
  name: z.string().meta({ description: 'A dataset, or `passed`, `failed` or `none`; else empty.' }),
  rows: count.meta({ description: 'Results that could be drawn, in this sample or before it.' }),
  drawn: z.array(count).meta({ description: 'Indices, in the order in which they were drawn.' }),
});

const labelList = z
  .object({
    run_id: z.string(),
    samples: z.array(
      z.object({
        at: z.string(),
        id: z.string(),
        seed: z.number(),
        by: z.enum(stratifiedBy),
        key: z.string().exactOptional(),
        strata: z.array(stratum),
      }),
    ),
    labels: z.array(reviewLabel.extend({ id: z.string() })),
  })
  .meta({ id: 'LabelList' });

const progress = {
  labelled: count.meta({ description: 'Results of which the reviewer has labelled every score.' }),
  disagreements: count.meta({
    description: 'Labels of the reviewer that say the opposite of the judge.',
  }),
};

const reviewQueue = z
  .object({
    run_name: z.string(),
    session_name: z.string(),
    reviewer: z.string(),
    keys: z.array(
      z.object({
        key: z.string(),
        rubric: rubric.nullable().meta({
          description: '`null` without one, and where evaluations have different ones.',
        }),
      }),
    ),
    total: count,
    ...progress,
    queue: z.array(
      z.object({
        index: count,
        id: z.string(),
        dataset: z.string(),
        labels: z.array(z.string()),
        keys: z.array(z.string()).meta({ description: 'The scores to label.' }),
        sample: z.boolean().meta({ description: 'It was drawn at random.' }),
        sample_id: z.string().exactOptional().meta({
          description: 'To send as `sample` with its label; absent if it was picked by hand.',
        }),
        mine: z.record(z.string(), verdict),
      }),
    ),
  })
  .meta({ id: 'ReviewQueue' });

const judge = z
  .object({
    passed: z.boolean().exactOptional(),
    value: z.number().exactOptional(),
    notes: z.string().exactOptional(),
  })
  .meta({ id: 'JudgeScore', description: 'What a judge said of a result.' });

const reviewedResult = z
  .object({
    index: count,
    id: z.string(),
    function: z.string(),
    dataset: z.string(),
    row_labels: z.array(z.string()).meta({ description: 'The labels of the evaluation.' }),
    trial: z.int().positive().exactOptional(),
    trial_of: z.string().exactOptional(),
    cluster,
    input: jsonValue,
    output: jsonValue,
    output_hash: z.string().meta({ description: 'To send with a label of this output.' }),
    reference: jsonValue,
    metadata: jsonObject,
    messages: jsonValue.exactOptional().meta({
      description:
        'Messages that the target traced; absent where an evaluator may have changed them.',
    }),
    calls: z.array(call).exactOptional().meta({ description: 'Calls of the target.' }),
    spans: z.array(span).exactOptional().meta({ description: 'Tools and spans of the target.' }),
    keys: z.array(z.string()).meta({ description: 'The scores to label.' }),
    rubrics: z.record(z.string(), rubric),
    labels: z.record(z.string(), reviewLabel).meta({ description: 'Labels of the reviewer.' }),
    judges: z.record(z.string(), judge),
  })
  .meta({ id: 'ReviewedResult' });

const labelBody = z
  .strictObject({
    key: scoreKey,
    verdict: verdict.nullable().meta({ description: '`null` takes the label back.' }),
    note: optional(z.string()),
    reviewer: reviewerName,
    sample: optional(z.string()).meta({
      description: 'The `sample_id` of the queue; without it, the label enters no estimate.',
    }),
    rubric_version: optional(z.string()).meta({
      description: 'The version that the reviewer read. Default: the current one.',
    }),
    output_hash: optional(z.string()).meta({
      description: 'Of the output that the reviewer read. Default: the current one.',
    }),
  })
  .transform(({ verdict, ...body }) => ({ verdict, ...withoutNulls(body) }))
  .meta({ id: 'LabelBody' });

const labelled = z
  .object({ ok, label: reviewLabel.nullable(), judge: judge.nullable(), ...progress })
  .meta({ id: 'LabelledResult' });
