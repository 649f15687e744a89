import { z } from 'zod';
import { mostNamedCases } from '../../compare/gates/judge-gates.js';
import type { PairPage } from '../compare/pair-page.js';
import type { RunComparison } from '../compare/run-comparison.js';
import { clusters, count } from './basic-values.js';
import { runUsage } from './call.js';
import {
  change,
  changeCounts,
  comparisonSummary,
  familyTest,
  figureEstimate,
  singleTest,
} from './comparison-summary.js';
import { rowPage } from './row.js';
import { facetValue, rowFacets } from './row-summary.js';
import { runData, runSummary } from './run.js';
import { derived, percentiles, scale } from './score.js';

const rate = figureEstimate.nullable();

const scoreFigure = z
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

const { session_name, state, config_name, mixed } = runData.shape;
const { run_id, run_name, timestamp, code_versions, repeats } = runSummary.shape;

const runHead = z
  .object({
    run_id,
    run_name,
    session_name,
    config_name,
    timestamp,
    state,
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
    pass_rate: z.object({
      passed: count,
      total: count,
      rate: rate.meta({ description: '`null` if nothing has a verdict.' }),
    }),
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

/** Answer of a comparison. */
export const runComparison = z
  .object({
    runs: z
      .array(comparedRun)
      .meta({ description: 'In the order of the request, the base first.' }),
    comparisons: z
      .array(comparisonSummary.extend({ run_id, run_name, gates }).meta({ id: 'AgainstBase' }))
      .meta({ description: 'One for each run except the base, in the same order.' }),
  })
  .meta({ id: 'RunComparison' });
runComparison satisfies z.ZodType<RunComparison>;

/** A page of the pairs of a comparison. */
export const pairPage = z
  .object({
    runs: z.array(runHead).meta({ description: 'In the order of the request, the base first.' }),
    total: count.meta({ description: 'Cases that are in any of the runs.' }),
    filtered: count.meta({ description: 'Cases that match.' }),
    offset: count,
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
        })
        .meta({ id: 'Pair', description: 'A case in all compared runs.' }),
    ),
  })
  .meta({ id: 'PairPage' });
pairPage satisfies z.ZodType<PairPage>;
