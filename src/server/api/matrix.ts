import { z } from 'zod';
import type { Comparisons } from '../compare/comparisons.js';
import { MatrixPages } from '../compare/matrix.js';
import type { PairFinder } from '../compare/pairs.js';
import { defineRoute, type Route } from '../http/route.js';
import type { RowTables } from '../rows/row-table.js';
import {
  casesQuery,
  foundCases,
  type ReadableRuns,
  rateFigure,
  runHead,
  runList,
  scoreFigure,
  tableAnswers,
  compareTag as tag,
} from './compare.js';
import { familyTest, groupMeasure, judgeDrift, means, singleTest } from './comparison-summary.js';
import { resultStanding } from './result.js';
import { rowFilterOf, single } from './row-query.js';
import { facetValue, rowFacets } from './row-summary.js';
import { rowPage } from './rows.js';
import { countsOnly } from './run.js';
import { count, flagParameter, jsonValue, seconds, shownAs } from './values.js';

/** The most runs that a matrix has. */
const mostRuns = 12;

/** Two to twelve runs in one table. */
export function matrixRoutes(
  runs: ReadableRuns,
  tables: RowTables,
  comparisons: Comparisons,
  finder: PairFinder,
): Route[] {
  const pages = new MatrixPages(comparisons, finder);
  const answer = tableAnswers(runs, tables);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/matrix',
      operation: 'compareVariants',
      tag,
      summary: 'The figures of up to twelve runs, and their differences from the first.',
      description:
        'Pass rate, cost and latency of each run, and the difference of its pass rate from the base, corrected for the number of runs: the numbers of `assay compare` with several runs.',
      query: z.strictObject({ run: runList(mostRuns) }),
      answer: { description: 'The figures.', schema: variantFigures, headers: ['ETag'] },
      problems: [404],
      handle: ({ query, onEnd }) => answer(query.run, onEnd, (read) => pages.figures(read)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/matrix/rows',
      operation: 'getMatrixRows',
      tag,
      summary: 'A page of the cases of up to twelve runs, with a cell for each run.',
      description:
        'Cases are paired by id, with folded trials, and stand in groups by dataset; `offset` and `limit` count cases through all groups. The filters are those of `/api/compare/rows`; `differ` filters by verdicts.',
      query: rowsQuery,
      answer: { description: 'A page of cases.', schema: matrixPage, headers: ['ETag'] },
      problems: [404],
      handle: ({ query, signal, onEnd }) => {
        const { run, differ, shown_score: score, ...filters } = query;
        const asked = { filter: { rows: rowFilterOf(filters), differ }, score };
        return answer(run, onEnd, (read) => pages.page(read, asked, query, signal));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/api/matrix/outputs',
      operation: 'getMatrixOutputs',
      tag,
      summary: 'The outputs of one case in all runs, equal ones together.',
      description:
        'Results with the same output, or the same error, are one entry. The order is that of the runs, and of the trials in a run.',
      query: outputsQuery,
      answer: { description: 'The outputs.', schema: matrixOutputs, headers: ['ETag'] },
      problems: [404],
      handle: ({ query, signal, onEnd }) =>
        answer(query.run, onEnd, (read) => pages.outputs(read, query.id, signal)),
    }),
  ];
}

const cost = z
  .object({
    per_case: z.number().nullable().meta({
      description:
        'US dollars: the mean over the trials of a case, then over cases. A lower bound if `unknown` is not 0; `null` if nothing is known.',
    }),
    unknown: count.meta({ description: 'Cases with a call of unknown cost.' }),
    replayed: count.exactOptional().meta({
      description:
        'Cases with replayed calls, which count with what they cost when they were recorded; absent for none.',
    }),
  })
  .meta({ id: 'CaseCost', description: 'What the calls of cases cost.' });

const variantFigures = z
  .object({
    runs: z
      .array(
        runHead.extend({
          label: z.string().meta({
            description: 'The run name, preceded by the id if two runs have the same name.',
          }),
          pass_rate: rateFigure,
          difference: z
            .object({
              ...groupMeasure,
              carried: count.meta({
                description: 'Cases of both whose results were carried over: not compared.',
              }),
              judges: z
                .array(z.object({ key: z.string(), judge_drift: judgeDrift }))
                .exactOptional()
                .meta({
                  description:
                    'The scores whose judge is another one than in the base, or may be; absent for none.',
                }),
            })
            .exactOptional()
            .meta({
              description:
                'Pass rate of this run − pass rate of the base, over the cases of both. The family of its test is that of all runs here. Absent for the base.',
            }),
          cost: cost.nullable().meta({ description: '`null` for a run that records no calls.' }),
          p50: seconds.meta({ description: 'The median latency, over all trials.' }),
          is_best: z.boolean().meta({
            description:
              'No other run passes as much at a lower cost, or more at no higher one, over the cases that all have. A run of unknown cost beats none, and is best only if no other passes more. Where only one has verdicts, none is best.',
          }),
          expected_again: z.number().exactOptional().meta({
            description:
              'The share that this run, which passes most of four or more, is expected to pass when it runs again; absent for all others.',
          }),
        }),
      )
      .meta({ description: 'In the order of the request, the base first.' }),
    common_cases: count.meta({
      description: 'Cases with a verdict in every run that has any.',
    }),
    factors: z
      .array(
        z.object({
          param: z.string(),
          from: jsonValue.meta({ description: 'The value in the base.' }),
          to: jsonValue,
          ...means,
        }),
      )
      .exactOptional()
      .meta({
        description:
          'What each value of each param does, over all combinations of the others; absent unless the runs are all combinations of the values of several params.',
      }),
    notes: z.array(z.string()).meta({
      description: 'What is to know of these figures, in sentences without a full stop.',
    }),
  })
  .meta({ id: 'VariantFigures', description: 'Runs of the same cases, compared with the first.' });
variantFigures satisfies z.ZodType<Awaited<ReturnType<MatrixPages['figures']>>>;

const cell = z
  .object({
    index: count.meta({ description: 'The index of its first result in the run.' }),
    results: count.meta({ description: 'Results of the case: its trials, or 1.' }),
    finished: count.meta({ description: 'Results that have finished.' }),
    passed: count.meta({ description: 'Finished results that passed.' }),
    judged: count.meta({ description: 'Finished results with a verdict, and errors.' }),
    standings: z.array(resultStanding).meta({
      description: 'The statuses and verdicts of its results, each once.',
    }),
    latency: seconds.meta({ description: 'Seconds: the mean over finished results.' }),
    cost: cost.exactOptional().meta({
      description:
        'Of the case; absent in a run that made no calls, and without a finished result.',
    }),
    score: z
      .object({
        verdicts: z
          .object({ passes: count, of: count })
          .nullable()
          .meta({ description: '`null` without verdicts.' }),
        mean: z.number().nullable().meta({ description: '`null` without values.' }),
      })
      .exactOptional()
      .meta({ description: 'The score that is asked for; absent if it is not there.' }),
    moved: z
      .object({
        direction: z.enum(['better', 'worse']),
        p: singleTest.p,
        p_adjusted: familyTest.p_adjusted,
        among: familyTest.among,
      })
      .exactOptional()
      .meta({
        description:
          'Its trials pass more or less often than those of the base, beyond chance: by the exact test of Fisher, all cases with trials of all runs being one family. Absent for all others.',
      }),
  })
  .meta({ id: 'MatrixCell', description: 'A case in one run.' });

/** A page of the cases of a matrix. */
export const matrixPage = z
  .object({
    runs: z
      .array(
        runHead.extend({
          absent_cases: count.meta({
            description: 'Cases that other runs have and this one does not.',
          }),
          unfinished_cases: count.meta({ description: 'Cases without a finished result.' }),
        }),
      )
      .meta({ description: 'In the order of the request, the base first.' }),
    ...foundCases,
    counts_only: countsOnly,
    datasets: z
      .array(
        z.object({
          dataset: z.string(),
          cases: count.meta({ description: 'Cases that match, in any of the runs.' }),
          runs: z
            .array(
              z.object({
                cases: count.meta({ description: 'Those of them that this run has.' }),
                pass_rate: rateFigure,
                p50: seconds.meta({ description: 'The median latency, over all trials.' }),
                cost: cost.exactOptional().meta({
                  description: 'Absent in a run that made no calls.',
                }),
                score: scoreFigure.exactOptional().meta({
                  description: 'The score that is asked for; absent if it is not there.',
                }),
                difference: z.object(groupMeasure).exactOptional().meta({
                  description:
                    'Pass rate of this run − pass rate of the base, over the cases of both that match. The groups of all runs are one family of tests. Absent for the base, without such cases, and with `counts_only`.',
                }),
              }),
            )
            .meta({ description: 'In the order of `run`.' }),
        }),
      )
      .meta({ description: 'All groups, in the order of the cases.' }),
    facets: rowFacets.extend({ differ: facetValue(z.boolean()) }).meta({
      id: 'MatrixFacets',
      description:
        'The number of cases that match one value, given the filters of all other kinds.',
    }),
    cases: z.array(
      z.object({
        id: z.string().meta({ description: 'Id of the case, without the trial.' }),
        function: z.string(),
        dataset: z.string(),
        cells: z.array(cell.nullable()).meta({
          description: 'In the order of `run`; `null` if a run does not have the case.',
        }),
      }),
    ),
  })
  .meta({ id: 'MatrixPage' });
matrixPage satisfies z.ZodType<Awaited<ReturnType<MatrixPages['page']>>>;

/** The outputs of one case. */
export const matrixOutputs = z
  .object({
    id: z.string(),
    function: z.string(),
    dataset: z.string(),
    outputs: z.array(
      z.object({
        results: z
          .array(
            z.object({
              run: count.meta({ description: 'The position of its run in `run`.' }),
              index: count,
              passed: z.boolean().nullable(),
            }),
          )
          .meta({ description: 'The results with this output.' }),
        row: rowPage.shape.rows.element.meta({ description: 'The first of them.' }),
      }),
    ),
    outputs_total: count.meta({
      description: 'Different outputs; more than `outputs` has if there are very many.',
    }),
  })
  .meta({ id: 'MatrixOutputs', description: 'The outputs of a case.' });
matrixOutputs satisfies z.ZodType<Awaited<ReturnType<MatrixPages['outputs']>>>;

const shownScore = single(undefined, 'the key of a score', (text) => text || undefined, {
  type: 'string',
  description: 'The key of a score that cells and groups have, in `score`.',
});

const rowsQuery = z.strictObject({
  run: runList(mostRuns),
  ...casesQuery,
  differ: flagParameter(
    '`true`: cases of which another share passed in one run than in another; `false`: all others. Errors have not passed; a run without a verdict on the case is not considered.',
  ),
  shown_score: shownScore,
});

const outputsQuery = z.strictObject({
  run: runList(mostRuns),
  id: z
    .array(z.string())
    .length(1, { error: 'must be given once' })
    .transform(([id = '']) => id)
    .meta({
      description: 'Id of the case, without the trial.',
      override: shownAs({ type: 'string' }),
    }),
});
