import type { z } from 'zod';
import type { ResultChange } from '../../store/edited-result.js';
import { json } from '../http/answer.js';
import { defineRoute, type Route } from '../http/route.js';
import { resultParams, runParams } from '../schemas/parameters.js';
import { patchedResult, resultPage, resultPatch } from '../schemas/result.js';
import { runData } from '../schemas/run.js';
import type { Workspace } from '../workspace/workspace.js';
import { runDataAnswer } from './run-answers.js';

const tag = 'Results';

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
      handle: async ({ onEnd }) => runDataAnswer(workspace, await workspace.read('latest', onEnd)),
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
      answer: { description: 'The result.', schema: resultPage, headers: ['ETag'] },
      handle: ({ params }) => readResult(workspace, params.run_id, params.index),
    }),
    defineRoute({
      method: 'PATCH',
      path: '/api/runs/{run_id}/results/{index}',
      operation: 'editResult',
      tag,
      summary: 'Changes the annotation or the scores of a result.',
      description:
        'Works on any saved run. Each changed field adds an entry to `correction_history`; nothing is added when nothing changes. Scores that are new or differ get `source: "human"`. The not-started run cannot be edited (409).',
      params: resultParams,
      body: resultPatch,
      answer: { description: 'The result as it is now.', schema: patchedResult },
      problems: [409, 507],
      handle: async ({ params, body }) => {
        const change = toChange(body.result);
        const result = await workspace.edit(params.run_id, params.index, change);
        return json({ ok: true, result });
      },
    }),
  ];
}

async function readResult(workspace: Workspace, reference: string, index: number) {
  const run = await workspace.read(reference);
  const { run_id, session_name, run_name, path } = run.header;
  const attempts = run.attempts(index);
  const page = {
    result: run.entry(index),
    index,
    total: run.rows.length,
    run_id,
    session_name,
    run_name,
    eval_path: path,
    ...(attempts.length === 0 ? {} : { attempts }),
  };
  return json(page, run.version);
}

function toChange({ annotation, annotations, scores }: Patch): ResultChange {
  const isNote = typeof annotations === 'string' || annotations === null;
  const note = annotation === undefined && isNote ? annotations : annotation;
  return {
    ...(note === undefined ? {} : { annotation: note ?? '' }),
    ...(scores === undefined ? {} : { scores: scores ?? [] }),
  };
}

type Patch = z.output<typeof resultPatch>['result'];
