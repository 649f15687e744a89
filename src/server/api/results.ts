import { z } from 'zod';
import { type ResultEntry, withoutKept } from '../../model/result.js';
import { type ResultPage, readResultPage } from '../../model/result-page.js';
import type { BulkChange, ResultChange } from '../../store/log/edited-record.js';
import { ProblemError } from '../http/problem.js';
import { defineRoute, json, type Route } from '../http/route.js';
import { matchesRevision, revisionOf } from '../http/send.js';
import type { Workspace } from '../workspace/workspace.js';
import { storedCalls } from './call.js';
import { runDataAnswer } from './exports.js';
import { attempt, resultEntry } from './result.js';
import { runData } from './run.js';
import { sentScore } from './score.js';
import { count, flagParameter, ok, resultParams, runParams } from './values.js';

const tag = 'Results';

const resultQuery = z.strictObject({
  calls: flagParameter(
    '`false`: leave out `calls`, and the conversation that is read from them. Default: true.',
  ),
});

/** Reading runs and results, and changing results. */
export function resultRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/results',
      operation: 'getActiveRun',
      tag,
      summary: 'The active run with all its results.',
      answer: { description: 'The active run.', schema: runData, headers: ['ETag'] },
      handle: async ({ onEnd }) => runDataAnswer(workspace, await workspace.read(undefined, onEnd)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/data',
      operation: 'getRun',
      tag,
      summary: 'Any run with all its results.',
      description: 'Reading a run does not make it the active one.',
      params: runParams,
      answer: { description: 'The run.', schema: runData, headers: ['ETag'] },
      handle: async ({ params, onEnd }) =>
        runDataAnswer(workspace, await workspace.read(params.run_id, onEnd)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/results/{index}',
      operation: 'getResult',
      tag,
      summary: 'One result of a run.',
      params: resultParams,
      query: resultQuery,
      answer: { description: 'The result.', schema: resultPage, headers: ['ETag'] },
      handle: async ({ params: { run_id, index }, query }) => {
        const run = await workspace.read(run_id);
        const page = {
          ...readResultPage(run, run.header, index, query.calls !== false),
          ...(query.calls === false && run.hasCalls(index) && { has_calls: true }),
        };
        // Only of the parts that can be edited; calls never change.
        return json(page, run.version, revisionOf(run.entry(index)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/results/{index}/calls',
      operation: 'getCalls',
      tag,
      summary: 'The HTTP calls of a result, each text once.',
      description:
        'As `calls` of the result, but `messages`, `answer` and `tools` are positions in `texts`: agents send their whole history with each call.',
      params: resultParams,
      answer: { description: 'The calls.', schema: storedCalls, headers: ['ETag'] },
      handle: async ({ params: { run_id, index } }) => {
        const run = await workspace.read(run_id);
        return json(run.storedCalls(index), run.version);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/runs/{run_id}/results/{index}',
      operation: 'editResult',
      tag,
      summary: 'Changes the annotation or the scores of a result.',
      description:
        'Works on any saved run. Each changed field adds an entry to `correction_history`; unchanged fields add none. Scores that are new or differ get `source: "human"`. With `If-Match` and the `ETag` of the result, nothing is changed when somebody else has changed the result since (412, with the current `ETag`). The not-started run cannot be edited (409).',
      params: resultParams,
      body: resultPatch,
      knowsIfMatch: true,
      answer: {
        description: 'The result as it is now.',
        schema: z.object({ ok, result: resultEntry }).meta({ id: 'PatchedResult' }),
        headers: ['ETag'],
      },
      problems: [409, 507],
      handle: async ({ params, body, ifMatch }) => {
        const { run_id, index } = params;
        const check = (entry: ResultEntry) => checkRevision(entry, ifMatch);
        const change = toChange(body.result);
        const result = await workspace.edit(run_id, [index], (run) =>
          run.edit(index, change, check),
        );
        const revision = revisionOf(result);
        return json({ ok: true, result: withoutKept(result) }, revision, revision);
      },
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/runs/{run_id}/results',
      operation: 'editResults',
      tag,
      summary:
        'Annotates many results, or sets or clears a score of them; or reverts such a change.',
      description:
        'As `editResult` for each: unchanged results get no entry in `correction_history`, and changed scores get `source: "human"`. If a result does not exist, nothing changes (404). The body may have 8 MiB.',
      params: runParams,
      body: resultsPatch,
      maxBody: 8 * 1024 * 1024,
      answer: { description: 'What has changed.', schema: patchedResults },
      problems: [409, 507],
      handle: async ({ params: { run_id }, body }) => {
        const { indices: given, ...sent } = body;
        const indices = [...new Set(given)];
        const change = toBulkChange(sent);
        const done = await workspace.edit(run_id, indices, (run) => run.editMany(indices, change));
        return json({ ok: true, ...done });
      },
    }),
  ];
}

/** Error: 412 with the current tag when the result has changed since it was read. */
function checkRevision(entry: ResultEntry, ifMatch: string | undefined): void {
  const revision = revisionOf(entry);
  if (ifMatch === undefined || matchesRevision(ifMatch, revision)) return;
  throw new ProblemError(412, 'The result has been changed since it was read; read it again.', {
    headers: { ETag: `W/"${revision}"` },
  });
}

function toChange({
  annotation,
  annotations,
  scores,
  counted_scores: countedScores,
}: Patch): ResultChange {
  const note = annotation === undefined ? annotations : annotation;
  return {
    ...(note === undefined ? {} : { annotation: note ?? '' }),
    ...(scores === undefined ? {} : { scores: scores ?? [] }),
    ...(countedScores && { countedScores }),
  };
}

function toBulkChange(change: SentBulkChange): BulkChange {
  return 'annotation' in change ? { annotation: change.annotation ?? '' } : change;
}

type SentBulkChange =
  | Exclude<BulkChange, { readonly annotation: string }>
  | { readonly annotation: string | null };

type Patch = z.output<typeof resultPatch>['result'];

const resultPage = z
  .object({
    result: resultEntry,
    index: count,
    total: count.meta({ description: 'Results of the run.' }),
    run_id: z.string(),
    session_name: z.string(),
    run_name: z.string(),
    eval_path: z.string(),
    has_calls: z.literal(true).exactOptional().meta({
      description: 'It has calls or spans, which `calls=false` left out; absent for none.',
    }),
    attempts: z
      .array(attempt)
      .exactOptional()
      .meta({ description: 'Newest first; absent without earlier attempts.' }),
  })
  .meta({ id: 'ResultPage' });
resultPage satisfies z.ZodType<ResultPage>;

const note = z.string().nullable();

/** Rejects duplicate keys: a result has one score per key. */
function refuseTwins(scores: readonly { readonly key: string }[], context: z.RefinementCtx): void {
  const keys = new Set<string>();
  for (const [position, { key }] of scores.entries()) {
    if (keys.has(key)) {
      const message = 'must not be the key of another score';
      context.addIssue({ code: 'custom', path: [position, 'key'], message });
    }
    keys.add(key);
  }
}

const resultPatch = z
  .object({
    result: z.object({
      annotation: note.exactOptional().meta({ description: 'A note; `null` clears it.' }),
      annotations: note.exactOptional().meta({ description: 'Another name of `annotation`.' }),
      scores: z.array(sentScore).superRefine(refuseTwins).nullable().exactOptional().meta({
        description:
          'All new scores of the result, with distinct keys; `null` is the same as `[]`. If the result is a repeat and the attempt that counts has the same output, what is changed here is changed there, too.',
      }),
      counted_scores: z.array(sentScore).superRefine(refuseTwins).exactOptional().meta({
        description:
          'All new scores of the attempt that counts (`counted`), with distinct keys; only for a result that is a repeat. Rates and gates go by them.',
      }),
    }),
  })
  .meta({ id: 'ResultPatch', description: 'Other keys are ignored.' });

const bulk = {
  indices: z.array(count).meta({ description: 'Results; each once.' }),
};

const resultsPatch = z
  .union([
    z.strictObject({
      ...bulk,
      annotation: note.meta({ description: 'A note for each of them; `null` clears it.' }),
    }),
    z.strictObject({
      ...bulk,
      score: sentScore.meta({ description: 'Replaces the score with its key, or is added.' }),
    }),
    z.strictObject({
      ...bulk,
      clear: z.string().meta({ description: 'Removes the scores with this key.' }),
    }),
    z.strictObject({
      ...bulk,
      restore: z.string().meta({
        description:
          'Gives the scores with this key back as the evaluators gave them before a person changed them; removes those that only people gave.',
      }),
    }),
    z.strictObject({
      ...bulk,
      undo: z.string().meta({
        description: 'Reverts the change made `at` this time; later changes stay.',
      }),
    }),
  ])
  .meta({ id: 'ResultsPatch' });

const patchedResults = z
  .object({
    ok,
    at: z.iso.datetime({ precision: 3 }).meta({
      description: 'The `timestamp` of the corrections; `undo` takes it.',
    }),
    changed: z.array(count).meta({ description: 'Indices of the results that have changed.' }),
  })
  .meta({ id: 'PatchedResults' });
