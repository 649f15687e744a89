import { z } from 'zod';
import { type Change, changes } from '../../compare/cases/change.js';
import { usedAmounts } from '../../compare/differences/amount-difference.js';
import { mostNamedCases } from '../../compare/gates/judge-gates.js';
import type { StoredRun } from '../../store/stored-run.js';
import { type Comparisons, compareRuns } from '../compare/comparisons.js';
import type { ChangeRule, DifferenceRule } from '../compare/pair-filter.js';
import { type PairMeasure, type PairOrder, pairSortFields } from '../compare/pair-order.js';
import { type PairFinder, PairPages } from '../compare/pairs.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { RowTable, RowTables } from '../rows/row-table.js';
import { correctedScores } from './calibration.js';
import { runUsage } from './call.js';
import {
  change,
  changeCounts,
  comparisonSummary,
  familyTest,
  figureEstimate,
  singleTest,
} from './comparison-summary.js';
import { choice, readScoreKey, rowFilterOf, rowsQuery, single } from './row-query.js';
import { facetValue, rowFacets } from './row-summary.js';
import { rowPage } from './rows.js';
import { runData, runSummary } from './run.js';
import { derived, percentiles, scale } from './score.js';
import { clusters, count } from './values.js';

/** The source of runs. */
export interface ReadableRuns {
  read(runId: string, onEnd: OnEnd): Promise<StoredRun>;
}

type OnEnd = (act: () => void) => void;

/** Answers from the tables of runs, with the attempts that count; the `ETag` changes with their state. */
export function tableAnswers(runs: ReadableRuns, tables: RowTables) {
  return async (
    runIds: readonly string[],
    onEnd: OnEnd,
    bodyOf: (tables: readonly RowTable[]) => Promise<unknown>,
  ) => {
    const read = await Promise.all(runIds.map((runId) => runs.read(runId, onEnd)));
    const found = read.map((run) => tables.counted(run));
    // The state of a run is not in its log alone.
    const version = found.map((table) => `${table.version} ${table.run.state}`).join(' ');
    return json(await bodyOf(found), version);
  };
}

/** The part of the API that compares runs. */
export const compareTag = 'Comparing runs';

/** Two to four runs side by side. */
export function compareRoutes(
  runs: ReadableRuns,
  tables: RowTables,
  comparisons: Comparisons,
  finder: PairFinder,
): Route[] {
  const pairs = new PairPages(finder);
  const answer = tableAnswers(runs, tables);
  return [
    defineRoute({
      method: 'GET',
      path: '/api/compare',
      operation: 'compareRuns',
      tag: compareTag,
      summary: 'The differences between runs, and whether they are beyond chance.',
      description:
        'The figures of each run, and the comparison of each run with the base: the numbers of `assay sessions compare`. They are explained in [Statistics](statistics.md#comparing-runs).',
      query: compareQuery,
      answer: { description: 'The comparison.', schema: runComparison, headers: ['ETag'] },
      problems: [404],
      handle: ({ query, onEnd }) =>
        answer(query.run, onEnd, (read) => compareRuns(comparisons, read)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/compare/rows',
      operation: 'getPairs',
      tag: compareTag,
      summary: 'A page of the cases of runs, side by side.',
      description:
        'Cases are paired by id, with folded trials. The filters are those of the rows of a run: a case matches if one of its results, in any of the runs, has all included values, and none of its results has an excluded one. `change` filters by the change of the case, `difference` by what a measure of it changed by.',
      query: pairsQuery,
      answer: { description: 'A page of pairs.', schema: pairPage, headers: ['ETag'] },
      problems: [404],
      handle: ({ query, signal, onEnd }) => {
        const { sort, order, change, difference, ...filters } = query;
        const asked = {
          filter: { rows: rowFilterOf(filters), change, difference },
          order: { by: sort, descending: order === 'desc' },
        };
        return answer(query.run, onEnd, (read) => pairs.page(read, asked, query, signal));
      },
    }),
  ];
}

const rate = figureEstimate.nullable();

/** A share of passes. */
export const rateFigure = z.object({
  passed: count,
  total: count,
  rate: rate.meta({ description: '`null` if nothing has a verdict.' }),
});

/** The figure of one score. */
export const scoreFigure = z
  .discriminatedUnion('type', [
    z.object({
      key: z.string(),
      type: z.literal('ratio'),
      passed: count,
      total: count,
      rate,
      derived,
    }),
    z.object({
      key: z.string(),
      type: z.literal('avg'),
      count,
      mean: rate,
      percentiles: percentiles
        .exactOptional()
        .meta({ description: 'Present if the values are unbounded; then `mean` has no interval.' }),
      scale,
    }),
  ])
  .meta({
    id: 'ScoreFigure',
    description:
      'The verdicts (`ratio`) or values (`avg`) of one score of a run, with an interval over cases, because trials of one case are not independent. A score with both has two figures, first its verdicts if an evaluator gave any, else its values.',
  });

const { session_name, state, config_name, params, mixed } = runData.shape;
const { run_id, run_name, timestamp, code_versions, repeats } = runSummary.shape;

/** The identity of a compared run. */
export const runHead = z
  .object({
    run_id,
    run_name,
    session_name,
    config_name,
    timestamp,
    state,
    params,
    code_versions,
    repeats,
    mixed,
  })
  .meta({ id: 'RunHead', description: 'The identity of a compared run.' });

const comparedRun = z
  .object({
    ...runHead.shape,
    units: count.meta({ description: 'Cases: the trials of a case count once.' }),
    finished: count.meta({ description: 'Cases with a finished trial.' }),
    clusters,
    trials_alike: z.literal(true).exactOptional().meta({
      description:
        'All cases with several trials have the same output and scores in each, as from a response cache: more trials say nothing more.',
    }),
    pass_rate: rateFigure,
    scores: z.array(scoreFigure),
    latency: z
      .object({
        count,
        p5: z.number().nullable(),
        p50: z.number().nullable(),
        p95: z.number().nullable(),
      })
      .meta({ description: 'Seconds, over finished attempts with a latency.' }),
    usage: runUsage.exactOptional(),
    corrected: correctedScores,
  })
  .meta({ id: 'ComparedRun', description: 'A compared run with its figures.' });

const verdict = {
  verdict: z.enum(['yes', 'no', 'cannot-tell']).meta({ description: '`yes`: the gate is open.' }),
  text: z.string(),
};

const passes = z.object({ passes: count, of: count });

const gates = z
  .object({
    regression: z
      .object({
        ...verdict,
        measures: z.array(
          z.object({
            measure: z.union([
              z.object({ kind: z.literal('pass_rate') }),
              z.object({ kind: z.literal('score'), key: z.string(), name: z.string() }),
            ]),
            type: z.enum(['ratio', 'avg']),
            better: z.enum(['higher', 'lower']),
            base: z.number(),
            other: z.number(),
            difference: figureEstimate,
            p: z.number(),
            p_adjusted: familyTest.p_adjusted,
            among: familyTest.among,
            worse: z
              .boolean()
              .meta({ description: 'Beyond chance, and in the direction of worse.' }),
          }),
        ),
        worse_units: z.array(
          z.object({
            id: z.string(),
            base: passes,
            other: passes,
            ...singleTest,
            ...familyTest,
            direction: z.enum(['worse', 'better', 'same']),
          }),
        ),
        worse_units_total: count,
        tested_units: count.meta({
          description: 'Cases with trials in both runs that share no cluster with others.',
        }),
        clustered_units: count.exactOptional().meta({
          description:
            'Cases with trials in both runs that are not tested one by one, because they share clusters; absent for none.',
        }),
        errors: z.object({ base: count.nullable(), other: count.nullable() }).meta({
          description: 'Trials of the compared cases that are errors; `null` if unknown.',
        }),
      })
      .meta({ description: 'Whether something is worse beyond chance.' }),
    new_failures: z
      .object({ ...verdict, failed: z.array(z.string()), failed_total: count })
      .meta({ description: 'Whether something that passed fails now, by chance or not.' }),
    missing: z
      .object({
        ...verdict,
        gone: z.array(z.string()),
        gone_total: count,
        unfinished: z.array(z.string()),
        unfinished_total: count,
        lost: z.array(z.string()),
        lost_total: count,
      })
      .meta({
        description:
          'Whether something that finished in the base no longer exists, has not finished, or has lost its verdict or a score.',
      }),
  })
  .meta({
    id: 'ComparisonGates',
    description: `The gates of \`assay run --fail-on\`. At most ${mostNamedCases} cases are named by each; \`…_total\` counts all.`,
  });

const runComparison = z
  .object({
    runs: z
      .array(comparedRun)
      .meta({ description: 'In the order of the request, the base first.' }),
    comparisons: z
      .array(comparisonSummary.extend({ run_id, run_name, gates }).meta({ id: 'AgainstBase' }))
      .meta({ description: 'One for each run except the base, in the same order.' }),
  })
  .meta({ id: 'RunComparison' });
runComparison satisfies z.ZodType<Awaited<ReturnType<typeof compareRuns>>>;

/** How many cases there are of which a page is a part. */
export const foundCases = {
  total: count.meta({ description: 'Cases that are in any of the runs.' }),
  filtered: count.meta({ description: 'Cases that match.' }),
  offset: count,
};

const outputDifference = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('json'),
      paths: z.array(
        z.object({
          path: z.string().meta({ description: '`items[1].total`.' }),
          values: z.array(z.string().nullable()).meta({
            description:
              'JSON, cut around the first difference; `null` where there is no such value, and in runs that are not compared.',
          }),
        }),
      ),
      more: count.meta({ description: 'Paths that differ besides.' }),
      equal: count.meta({ description: 'Values that are equal in all runs.' }),
      total: count.meta({ description: 'Values that were compared.' }),
    }),
    z.object({
      kind: z.literal('text'),
      at: count.meta({ description: 'Where the texts begin, in characters.' }),
      texts: z.array(z.object({ text: z.string(), cut: z.boolean() }).nullable()).meta({
        description: 'About the first difference; `cut`: there is more.',
      }),
    }),
  ])
  .meta({
    id: 'OutputDifference',
    description:
      'Where the outputs of the shown results differ, in the order of `run`: by paths if all are objects or all are lists, also as text; else about the first difference of texts of which one has more than 300 characters. Absent if they do not differ or cannot be compared, and for results beyond 16 MiB on a page.',
  });

/** A page of the pairs of a comparison. */
export const pairPage = z
  .object({
    runs: z.array(runHead).meta({ description: 'In the order of the request, the base first.' }),
    ...foundCases,
    changes: z.array(changeCounts.nullable()).meta({
      description:
        'For each run in the order of `run`, over the cases that match all filters except `change`; `null` for the base.',
    }),
    facets: rowFacets.extend({ change: facetValue(change) }).meta({
      id: 'PairFacets',
      description:
        'The number of cases that match one value, given the filters of all other kinds; `change` in any run except the base.',
    }),
    pairs: z.array(
      z
        .object({
          id: z.string().meta({ description: 'Id of the case, without the trial.' }),
          function: z.string(),
          dataset: z.string(),
          runs: z
            .array(
              z.object({
                change: change.nullable().meta({
                  description:
                    '`null` in the base, and if neither the base nor this run has the case.',
                }),
                moved_scores: z.array(z.string()).meta({
                  description:
                    'Keys of the scores that differ from the base in verdicts or values, or that only one of them has; empty in the base, and if one of them does not have the case.',
                }),
                same_output: z.boolean().meta({
                  description:
                    'True if the outputs are known to be those of the base; with trials, the set of distinct outputs.',
                }),
                indices: z.array(count).meta({
                  description: 'Indices of all its results in this run, including trials.',
                }),
                row: rowPage.shape.rows.element.nullable().meta({
                  description:
                    'The result; `null` if there is none. With trials, `fold` and the trial that explains the change best, the same in all runs.',
                }),
              }),
            )
            .meta({ description: 'In the order of `run`.' }),
          output_difference: outputDifference.exactOptional(),
        })
        .meta({ id: 'Pair', description: 'A case in all compared runs.' }),
    ),
  })
  .meta({ id: 'PairPage' });
pairPage satisfies z.ZodType<Awaited<ReturnType<PairPages['page']>>>;

const mostRuns = 4;

/** The parameter that names the runs. */
export function runList(most: number) {
  return z
    .array(z.string(), { error: `must be given 2 to ${most} times, the base first` })
    .min(2, { error: `must be given 2 to ${most} times, the base first` })
    .max(most, { error: `must be given at most ${most} times` })
    .meta({
      description: `2 to ${most} run ids; the first is the base.`,
      override: { minItems: 2, maxItems: most },
    });
}

const compareQuery = z.strictObject({ run: runList(mostRuns) });

const changeChoice = choice(
  `one of ${changes.join(', ')}, with :1 to :${mostRuns - 1} for one of the runs`,
  readChange,
  `The change of a case in any of the runs after the base: ${changes.join(', ')}; for one of the runs, add its position in \`run\`: \`regressed:1\`.`,
);

/** The measures by whose differences pairs are filtered. */
const measures = ['passed', 'latency', ...usedAmounts] as const;

const differenceChoice = choice(
  `MEASURE:lower, :higher, :other, :>=NUMBER or :<=NUMBER, MEASURE one of ${measures.join(', ')} or score:KEY`,
  readDifference,
  `What a measure of the case changed by, other − base, in any of the runs after the base: \`latency:>=0.5\`, \`score:exact:lower\`; \`other\` is any difference. Measures: \`${measures.join('`, `')}\` and \`score:KEY\`, as for \`sort\`: shares from 0 to 1, seconds, US dollars. Cases without the measure in the base do not match. \`lower\` is not \`worse\`.`,
);

const sort = single<PairOrder['by'], 'index'>(
  'index',
  `${pairSortFields.join(', ')} or score:KEY`,
  (text) => readScoreKey(text) ?? pairSortFields.find((field) => field === text),
  {
    type: 'string',
    default: 'index',
    description: `\`${pairSortFields.join('`, `')}\` or \`score:KEY\`. \`index\`: the order of the base, then what only other runs have. \`change\`: regressed first. \`passed\` (the share of trials), \`latency\`, \`cost\`, \`tokens\`, \`calls\` (means over trials) and scores: by the difference from the base in the first other run that has it; of values with \`better: lower\`, the largest rise first. Equal ones follow by index; those without the value come last.`,
  },
);

// What is out of date is known of one run at a time.
const {
  offset,
  limit,
  order,
  fold: _,
  sort: __,
  field: ___,
  changed: ____,
  by: _____,
  histogram: ______,
  ...filters
} = rowsQuery.shape;

/** The parameters of a page of cases: a part, and filters by rows. */
export const casesQuery = { offset, limit, ...filters };

const pairsQuery = z
  .strictObject({
    run: runList(mostRuns),
    sort,
    order,
    ...casesQuery,
    change: changeChoice,
    difference: differenceChoice,
  })
  .superRefine(({ run, change: { include, exclude } }, context) => {
    if ([...include, ...exclude].every((rule) => rule.run === undefined || rule.run < run.length)) {
      return;
    }
    const message = `names a run that is not compared: there are ${run.length}, the base being 0`;
    context.addIssue({ code: 'custom', path: ['change'], message });
  });

function readChange(text: string): ChangeRule | undefined {
  const [, name, run] = /^([a-z_]+)(?::([1-9]))?$/.exec(text) ?? [];
  const known = changes.find((one): one is Change => one === name);
  if (known === undefined || Number(run ?? 1) >= mostRuns) return undefined;
  return run === undefined ? { change: known } : { change: known, run: Number(run) };
}

/** The rule follows the last colon, because keys may contain colons. */
function readDifference(text: string): DifferenceRule | undefined {
  const [, measure = '', rule = ''] = /^(.+):([^:]+)$/su.exec(text) ?? [];
  const by: PairMeasure | undefined =
    readScoreKey(measure) ?? measures.find((name) => name === measure);
  if (by === undefined) return undefined;
  if (rule === 'lower' || rule === 'higher' || rule === 'other') return { by, is: rule };
  const [, sign, digits] = /^([<>]=)([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i.exec(rule) ?? [];
  if (digits === undefined) return undefined;
  const value = Number(digits);
  return { by, is: sign === '>=' ? { atLeast: value } : { atMost: value } };
}
