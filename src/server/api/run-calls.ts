import { z } from 'zod';
import { type CallFigures, callJson } from '../../model/calls/call-figures.js';
import { type CallSort, callSorts } from '../../model/calls/listed-call.js';

import { type CallTable, CallTables, callStates } from '../calls/call-table.js';
import { defineRoute, json, type Route } from '../http/route.js';
import { longestSearch } from '../rows/filters.js';
import { runUsage, usage, usageTotals } from './call.js';
import type { ReadableRuns } from './compare.js';
import { choice, oneOf, pageRange, single, sortOrder } from './row-query.js';
import { facetValue } from './row-summary.js';
import { count, flagParameter, runIdParams, seconds } from './values.js';

/** The calls of a whole run. */
export function runCallsRoutes(runs: ReadableRuns): Route[] {
  const tables = new CallTables();
  return [
    defineRoute({
      method: 'GET',
      path: '/api/runs/{run_id}/calls',
      operation: 'getRunCalls',
      tag: 'Rows',
      summary: 'A page of the calls of models of a run, filtered, sorted and added up.',
      description:
        'The calls of the newest attempt of each result that `usage` counts, without their texts; `getCalls` has these. Filters of one kind are combined with OR, those of different kinds with AND. `usage` is what the run spent on the matching calls; what it did not make itself is in `taken`. What is not known is absent, and is sorted last in both directions.',
      params: runIdParams,
      query: callsQuery,
      answer: { description: 'A page of calls.', schema: callsPage, headers: ['ETag'] },
      handle: async ({ params, query, signal, onEnd }) => {
        const run = await runs.read(params.run_id, onEnd);
        const table = await tables.of(run);
        signal.throwIfAborted();
        const { offset, limit, sort, order, summary, ...filter } = query;
        const matching = table.matching(filter);
        const sorted = table.sorted(filter, sort, order === 'desc');
        const { usage: spent } = run.summary();
        const body = {
          run_id: run.runId,
          run_name: run.header.run_name,
          total: table.calls.length,
          filtered: matching.calls.length,
          results: matching.results,
          offset,
          calls: sorted.slice(offset, offset + limit).map((call) => callJson(call, table)),
          ...(table.unreadable && { unreadable: true as const }),
          ...(summary !== false && {
            summary: {
              ...toFigures(table, matching.figures()),
              facets: matching.facets,
              ...(spent && { run_usage: spent }),
            },
          }),
        };
        return json(body, table.version);
      },
    }),
  ];
}

function toFigures(table: CallTable, { dearest, slowest, ...figures }: CallFigures) {
  return {
    ...figures,
    ...(dearest && { dearest: callJson(dearest, table) }),
    ...(slowest && { slowest: callJson(slowest, table) }),
    high: table.marks,
  };
}

const named = (what: string, description: string) =>
  choice(what, (text) => (text === '' ? undefined : text), description);

const callsQuery = z.strictObject({
  ...pageRange,
  sort: single<CallSort, 'case'>('case', callSorts.join(', '), oneOf(callSorts), {
    type: 'string',
    enum: callSorts,
    default: 'case',
    description:
      '`case` is the order of the run; `tokens` are those in and out; `cost` also of what the run did not spend.',
  }),
  order: sortOrder,
  role: named('a role', 'Who made it: `target`, `body`, `file`, `evaluator:<name>`.'),
  model: named('a model', 'The model that was asked for.'),
  provider: named('a provider', 'The provider.'),
  tool: named('a tool', 'A tool that it asked for.'),
  state: choice(
    callStates.join(', '),
    oneOf(callStates),
    '`at_limit`: the answer ended at the limit of its tokens; `tool_failed`: a tool that it asked for answered with a failure; `carried`: also of results that were regraded; `not_priced`: its cost is not known; `slow`, `dear`: above the p95 of the run.',
  ),
  search: single('', `at most ${longestSearch} characters`, readSearch, {
    type: 'string',
    maxLength: longestSearch,
    description: 'Words that must all be in the id of the result, the model, the role or a tool.',
  }),
  summary: flagParameter('`false`: omit `summary`. Default: true.'),
});

function readSearch(text: string): string | undefined {
  return text.length <= longestSearch ? text : undefined;
}

const optionalSeconds = z.number().exactOptional();

const listedCall = z
  .object({
    index: count.meta({ description: 'Position of its result in the run, from 0.' }),
    id: z.string().meta({ description: 'Id of its result.' }),
    function: z.string(),
    dataset: z.string(),
    trial: count.exactOptional(),
    trial_of: z.string().exactOptional(),
    attempt: count,
    number: count.meta({ description: 'Position among the calls of the attempt, from 1.' }),
    role: z.string(),
    model: z.string(),
    provider: z.string().exactOptional(),
    tools: z
      .array(
        z.object({
          name: z.string(),
          time: optionalSeconds.meta({ description: 'Absent if it was not recorded.' }),
          failed: z.literal(true).exactOptional(),
        }),
      )
      .meta({ description: 'The tools that it asked for.' }),
    finish: z.string().meta({ description: 'The outcome in a word: `stop`, `tool call`, `429`.' }),
    failed: z.boolean(),
    at_limit: z.literal(true).exactOptional(),
    taken: z.enum(['replayed', 'carried', 'regraded']).exactOptional().meta({
      description: 'Why the run did not make it itself; absent if it did.',
    }),
    input: count.exactOptional(),
    cached: count.exactOptional(),
    output: count.exactOptional(),
    cost: z.number().nullable().meta({ description: 'US dollars; `null` if not known.' }),
    to_first_token: optionalSeconds.meta({ description: 'Seconds; absent without a stream.' }),
    latency: optionalSeconds.meta({
      description: 'Seconds; of a replayed call those of its recording; absent if not known.',
    }),
    start: z.number().meta({ description: 'Seconds after the attempt began.' }),
    started_at: z.number().exactOptional().meta({ description: 'Unix time in seconds.' }),
    slow: z.literal(true).exactOptional(),
    dear: z.literal(true).exactOptional(),
  })
  .meta({ id: 'ListedCall', description: 'A call of a model in a list.' });

const times = { p50: seconds, slowest: seconds };
const facet = facetValue(z.string());

const callsPage = z
  .object({
    run_id: z.string(),
    run_name: z.string(),
    total: count.meta({ description: 'Calls of the run.' }),
    filtered: count.meta({ description: 'Calls that match.' }),
    results: count.meta({ description: 'Results that they belong to.' }),
    offset: count,
    calls: z.array(listedCall),
    unreadable: z.literal(true).exactOptional().meta({
      description: 'Calls are missing, because lines of the log are damaged.',
    }),
    summary: z
      .object({
        usage: usage.exactOptional().meta({ description: 'What the run spent on them.' }),
        taken: usageTotals.exactOptional().meta({
          description: 'Those that it did not make itself, at what they cost when they were made.',
        }),
        models: z
          .array(
            z.object({
              model: z.string(),
              usage: usageTotals.exactOptional(),
              taken: usageTotals.exactOptional(),
              first_p50: seconds,
              ...times,
            }),
          )
          .meta({ description: 'The dearest first. Times are of calls that did not fail.' }),
        tools: z
          .array(
            z.object({
              tool: z.string(),
              calls: count,
              timed: count.meta({ description: 'Those whose time was recorded.' }),
              time: z.number().meta({ description: 'Their seconds together.' }),
              failed: count.meta({ description: 'Those that answered with a failure.' }),
              ...times,
            }),
          )
          .meta({ description: 'The tools that they asked for; most time first.' }),
        dearest: listedCall.exactOptional(),
        slowest: listedCall.exactOptional(),
        high: z.object({ latency: seconds, cost: z.number().nullable() }).meta({
          description: 'The p95 of all calls that the run made itself.',
        }),
        facets: z.object({ role: facet, model: facet, provider: facet, tool: facet, state: facet }),
        run_usage: runUsage.exactOptional().meta({
          description: 'What the run spent, also on attempts that are not listed.',
        }),
      })
      .exactOptional(),
  })
  .meta({ id: 'CallsPage' });
