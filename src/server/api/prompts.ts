import { z } from 'zod';
import { changes } from '../../compare/cases/change.js';
import { partings } from '../../compare/prompts/compare-prompts.js';
import { requestParts } from '../../compare/prompts/request-facts.js';
import type { PairFinder } from '../compare/pairs.js';
import { PromptDiffs } from '../compare/prompts.js';
import { defineRoute, type Route } from '../http/route.js';
import type { RowTables } from '../rows/row-table.js';
import { type ReadableRuns, runHead, runList, tableAnswers, compareTag as tag } from './compare.js';
import { resultStanding } from './result.js';
import { choice, oneOf, pageRange, single } from './row-query.js';
import { facetValue } from './row-summary.js';

import { count, jsonValue } from './values.js';

/** What of the requests to models differs between two runs. */
export function promptRoutes(runs: ReadableRuns, tables: RowTables, finder: PairFinder): Route[] {
  const diffs = new PromptDiffs(finder);
  const answer = tableAnswers(runs, tables);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/compare/prompts',
      operation: 'comparePrompts',
      tag,
      summary: 'What of the requests to models differs between two runs.',
      description:
        'Instructions (system prompts), tools and parameters, by who made the calls: each as both runs have it, once, with the number of cases; what differs from case to case is only counted. Texts are as they are stored, without headers.',
      query: z.strictObject({ run: runList(2) }),
      answer: { description: 'The differences.', schema: promptDiff, headers: ['ETag'] },
      problems: [404],
      handle: ({ query, onEnd }) => answer(query.run, onEnd, (read) => diffs.figures(read)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/compare/traces',
      operation: 'compareTraces',
      tag,
      summary: 'A page of the cases of two runs by where their traces part.',
      description:
        'The messages and answers of the target, instructions set aside: the first step that differs, and how each run goes on. Of several trials the pair that parts first. Ids, signatures and thoughts of models do not count. Regressed cases come first, then fixed and changed ones, among these the earliest step.',
      query: tracesQuery,
      answer: { description: 'A page of cases.', schema: tracesPage, headers: ['ETag'] },
      problems: [404],
      handle: ({ query, onEnd }) =>
        answer(query.run, onEnd, (read) => diffs.page(read, query, query)),
    }),
  ];
}

const tracesQuery = z.strictObject({
  run: runList(2),
  ...pageRange,
  parts: choice(
    partings.join(', '),
    oneOf(partings),
    'Where the traces part: the `first_message`, the answer to the `first_call` or to a `later_call`, the answer of a tool (`tool_answer`), the `last_answer`, or `nowhere`.',
  ),
  change: choice(changes.join(', '), oneOf(changes), 'The change of the case.'),
  case: single('', 'the id of a case', (text) => text, {
    description: 'Only the case with this id.',
  }),
});

const part = z.enum(requestParts).meta({
  description: '`system` is text, `tools` a list, `parameters` an object with the model.',
});

const promptDiff = z
  .object({
    runs: z.array(runHead),
    total: count.meta({ description: 'Cases of both runs together.' }),
    compared: count.meta({ description: 'Cases whose traces are known in both runs.' }),
    without: count.meta({ description: 'Cases of both runs with calls in one of them at most.' }),
    parts: z.array(
      z.object({
        role: z.string(),
        part,
        pairs: count.meta({ description: 'Cases that have exactly this in both runs.' }),
        evaluations: z.array(z.string()),
        same: z.boolean(),
        a: jsonValue.exactOptional().meta({
          description: 'Absent if the run has none; also for instructions that are the same.',
        }),
        b: jsonValue.exactOptional(),
      }),
    ),
    varying: z
      .array(z.object({ role: z.string(), part, pairs: count, a: count, b: count }))
      .meta({ description: 'What differs from case to case: distinct ones in each run.' }),
    partings: facetValue(z.enum(partings)),
  })
  .meta({ id: 'PromptDiff' });

const step = z.union([
  z.object({ kind: z.literal('none') }).meta({ description: 'The trace has ended before.' }),
  z.object({ kind: z.enum(['message', 'tool', 'answer']), role: z.string(), text: z.string() }),
  z.object({
    kind: z.literal('calls'),
    tools: z.array(z.object({ name: z.string(), arguments: jsonValue })),
  }),
]);

const tracesPage = z
  .object({
    total: count,
    filtered: count,
    offset: count,
    facets: z.object({
      parts: facetValue(z.enum(partings)),
      change: facetValue(z.enum(changes)),
    }),
    cases: z.array(
      z.object({
        id: z.string(),
        function: z.string(),
        dataset: z.string(),
        change: z.enum(changes).nullable(),
        parts: z.enum(partings),
        call: count.meta({ description: 'The call where they part, from 1; 0 for nowhere.' }),
        message: count.exactOptional().meta({
          description: 'The message of its request that differs; absent if the answer does.',
        }),
        sides: z.array(
          z.object({
            index: count,
            standing: resultStanding,
            trial: count.exactOptional(),
            scores: z.array(z.object({ key: z.string(), passed: z.boolean() })),
            calls: count.meta({ description: 'Calls of the trace.' }),
            same: count.meta({ description: 'Calls before the step.' }),
            tools: z.array(z.string()).meta({ description: 'Tools that these asked for.' }),
            step,
            more: count.meta({ description: 'Calls after the step.' }),
            answer: z.string().exactOptional().meta({ description: 'The last answer.' }),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'TracesPage' });
