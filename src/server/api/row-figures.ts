import { z } from 'zod';
import { type Standing, standingOf } from '../../model/scores/verdict.js';
import { defineRoute, json, type Route } from '../http/route.js';
import { figureOf } from '../rows/row-order.js';
import type { RowTable } from '../rows/row-table.js';
import { byIndex, type OpenRows, problemOf } from './opened-rows.js';
import { resultStanding } from './result.js';
import { rowFiguresQuery } from './row-query.js';
import { checkProblem, count, runIdParams } from './values.js';

/** Reading numbers of results, for charts. */
export function rowFiguresRoute(open: OpenRows): Route {
  return defineRoute({
    method: 'GET',
    path: '/api/runs/{run_id}/rows/figures',
    operation: 'getRowFigures',
    tag: 'Rows',
    summary: 'One or two numbers of each result of a run, for charts.',
    description:
      'Of the matching rows that have all the numbers asked for, in the order of the run.',
    params: runIdParams,
    query: rowFiguresQuery,
    answer: { description: 'The numbers.', schema: rowFigureList, headers: ['ETag'] },
    problems: [409],
    handle: async ({ params, query: { figure, ...query }, signal, onEnd }) => {
      const { table, filter, more } = await open(params.run_id, query, onEnd);
      const { indices: matching } = await table.query({ filter, order: byIndex }, signal);
      const body = {
        total: table.rows.length,
        filtered: matching.length,
        ...figuresOf(table, matching, figure.map(figureOf)),
        ...problemOf(filter),
      };
      return json(body, `${table.version}${more}`);
    },
  });
}

/** The rows that have all of some numbers, with their states and the numbers. */
function figuresOf(
  { rows }: RowTable,
  matching: Uint32Array,
  read: readonly ReturnType<typeof figureOf>[],
) {
  const indices: number[] = [];
  const standings: Standing[] = [];
  const figures = read.map((): number[] => []);
  for (const index of matching) {
    const row = rows[index];
    if (row === undefined) continue;
    const its = read.map((figure) => figure(row));
    if (its.some(Number.isNaN)) continue;
    indices.push(index);
    standings.push(standingOf(row));
    for (const [at, value] of its.entries()) figures[at]?.push(value);
  }
  return { indices, standings, figures };
}

/** Numbers of results, in columns. */
const rowFigureList = z
  .object({
    total: count,
    filtered: count.meta({ description: 'Results that match.' }),
    indices: z.array(count).meta({ description: 'The results that have all the numbers.' }),
    standings: z.array(resultStanding).meta({ description: 'The state of each of them.' }),
    figures: z.array(z.array(z.number())).meta({
      description: 'For each `figure` asked for, its value of each result.',
    }),
    problem: checkProblem,
  })
  .meta({ id: 'RowFigureList' });
