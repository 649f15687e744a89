import { z } from 'zod';
import type { PreviousRuns } from '../compare/previous-runs.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { RowFilter } from '../rows/filters.js';
import { isFailure, reasonsAmong } from '../rows/row-reasons.js';
import type { RowTable } from '../rows/row-table.js';
import { byIndex, type OpenRows, problemOf } from './opened-rows.js';
import { rowReasonsQuery } from './row-query.js';
import { noPrevious } from './run.js';
import { checkProblem, count, runIdParams } from './values.js';

/** Reading why results failed. */
export function rowReasonsRoute(open: OpenRows, previousRuns: PreviousRuns): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/runs/{run_id}/rows/reasons',
    operation: 'getRowReasons',
    tag: 'Rows',
    summary: 'Why results of a run failed: those that have one reason are one group.',
    description:
      'A reason is the same score that failed, or an error, with a first line of the note or error that differs only in numbers, ids and quoted words. The largest reasons come first. A result with several failed scores counts for each of them. The filter `reason` selects the rows of a reason.',
    params: runIdParams,
    query: rowReasonsQuery,
    answer: { description: 'The reasons.', schema: rowReasons, headers: ['ETag'] },
    problems: [409],
    handle: async ({ params, query, signal, onEnd }) => {
      const { table, filter, more } = await open(params.run_id, query, onEnd);
      const { indices, reasons } = await reasonsOf(table, filter, signal);
      const { table: before, ...previous } = await previousRuns.rows(table);
      // What is out of date is known of this run alone.
      const comparable = filter.changed === undefined ? before : undefined;
      const earlier = comparable && (await reasonsOf(comparable, filter, signal)).reasons;
      const countBefore = new Map(earlier?.map(({ reason, results }) => [reason, results]));
      const body = {
        total: table.rows.length,
        filtered: indices.length,
        failures: indices.filter((index) => isFailureAt(table, index)).length,
        count: reasons.length,
        ...previous,
        reasons: reasons.slice(0, mostReasons).map(({ indices: its, ...reason }) => ({
          ...reason,
          ...(earlier && { before: countBefore.get(reason.reason) ?? 0 }),
          examples: its.slice(0, mostExamples).flatMap((index) => exampleOf(table, index)),
        })),
        ...problemOf(filter),
      };
      return json(body, `${table.version} ${before?.version}${more}`);
    },
  });
}

/** Maximum reasons of an answer: the largest ones. */
const mostReasons = 500;
/** Results that an answer names for each reason. */
const mostExamples = 2;

/** The matching rows, and why they failed. */
async function reasonsOf(table: RowTable, filter: RowFilter, signal: AbortSignal) {
  const { indices } = await table.query({ filter, order: byIndex }, signal);
  const causesOf = await table.reads.reasons.read(table, signal);
  return { indices, reasons: reasonsAmong(indices, causesOf) };
}

function isFailureAt({ rows }: RowTable, index: number): boolean {
  const row = rows[index];
  return row !== undefined && isFailure(row);
}

function exampleOf({ rows }: RowTable, index: number) {
  const row = rows[index];
  if (row === undefined) return [];
  const { function: name, dataset, trial } = row;
  return [{ index, function: name, dataset, ...(trial !== undefined && { trial }) }];
}

/** Why results failed. */
const rowReasons = z
  .object({
    total: count,
    filtered: count.meta({ description: 'Results that match.' }),
    failures: count.meta({ description: 'Matching results that failed or are errors.' }),
    count: count.meta({
      description: `The number of reasons; \`reasons\` has the ${mostReasons} largest ones.`,
    }),
    previous: z.object({ run_id: z.string(), run_name: z.string() }).nullable().meta({
      description: 'The run before; `null` if there is none.',
    }),
    no_previous: noPrevious,
    reasons: z.array(
      z
        .object({
          reason: z.string().meta({
            description:
              'The value of the filter `reason`: the key of the score, empty for errors, `=`, and the text with `#` in place of numbers and ids, and `"…"` in place of quoted words.',
          }),
          key: z.string().nullable().meta({ description: 'The score; `null` for errors.' }),
          text: z.string().meta({
            description: 'The note or error of the first result; empty without a note.',
          }),
          same: z.boolean().meta({ description: 'All of them have this text.' }),
          results: count,
          before: count.exactOptional().meta({
            description:
              'Results of the run before that match and failed for this reason; absent if there is none to read.',
          }),
          examples: z
            .array(
              z.object({
                index: count,
                function: z.string(),
                dataset: z.string(),
                trial: z.int().positive().exactOptional(),
              }),
            )
            .meta({ description: 'The first results.' }),
        })
        .meta({ id: 'RowReason' }),
    ),
    problem: checkProblem,
  })
  .meta({ id: 'RowReasons' });
