import { z } from 'zod';
import { mostNamedCases } from '../../compare/judged-gates.js';
import type { PairPage } from '../compare/pair-page.js';
import type { RunComparison } from '../compare/run-comparison.js';
import { change, changeCounts, comparisonSummary, figureEstimate } from './comparison.js';
import { count } from './json-value.js';
import { facetValue, rowFacets, rowPage } from './row.js';
import { runData, runSummary } from './run.js';
import { percentiles } from './score.js';

const rate = figureEstimate.nullable();

const scoreFigure = z
  .discriminatedUnion('type', [
    z.object({
      key: z.string(),
      type: z.literal('ratio'),
      passed: count,
      total: count,
      rate,
    }),
    z.object({
      key: z.string(),
      type: z.literal('avg'),
      count,
      mean: rate,
      percentiles: percentiles
        .exactOptional()
        .meta({ description: 'There when the values are unbounded: `mean` has no interval then.' }),
    }),
  ])
  .meta({
    id: 'ScoreFigure',
    description: 'One score of a run, with an interval that takes the trials of one for alike.',
  });

const { session_name, state, config_name } = runData.shape;
const { run_id, run_name, timestamp, code_versions } = runSummary.shape;

const runHead = z
  .object({ run_id, run_name, session_name, config_name, timestamp, state, code_versions })
  .meta({ id: 'RunHead', description: 'What identifies a run of a comparison.' });

const comparedRun = z
  .object({
    ...runHead.shape,
    units: count.meta({ description: 'Cases; the trials of one count once.' }),
    finished: count.meta({ description: 'Those with a finished trial.' }),
    pass_rate: z.object({
      passed: count,
      total: count,
      rate: rate.meta({ description: '`null` when nothing has a verdict.' }),
    }),
    scores: z.array(scoreFigure),
    latency: z
      .object({
        count,
        p5: z.number().nullable(),
        p50: z.number().nullable(),
        p95: z.number().nullable(),
      })
      .meta({ description: 'Seconds, over finished attempts that have a latency.' }),
  })
  .meta({ id: 'ComparedRun', description: 'A run of a comparison by itself.' });

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
              z.object({ kind: z.literal('score'), key: z.string() }),
            ]),
            type: z.enum(['ratio', 'avg']),
            better: z.enum(['higher', 'lower']),
            base: z.number(),
            other: z.number(),
            difference: figureEstimate,
            p_value: z.number(),
            adjusted_p_value: z.number().meta({
              description:
                'Twice the probability that chance alone makes it so much worse, at most 1; by Holm, over all measures.',
            }),
            worse: z.boolean().meta({ description: 'The adjusted p-value is below 0.05.' }),
          }),
        ),
        worse_units: z.array(
          z.object({
            id: z.string(),
            base: passes,
            other: passes,
            p_value: z.number().meta({ description: "Of Fisher's exact test, two-sided." }),
            p_lower: z.number(),
            adjusted_p_value: z.number(),
            beyond_chance: z.boolean(),
            direction: z.enum(['worse', 'better', 'same']),
          }),
        ),
        worse_units_total: count,
        tested_units: count.meta({ description: 'Cases with trials in both runs.' }),
        errors: z.object({ base: count.nullable(), other: count.nullable() }).meta({
          description: 'Trials of the compared cases that are errors; `null` when unknown.',
        }),
      })
      .meta({ description: 'Something is worse beyond chance.' }),
    new_failures: z
      .object({ ...verdict, failed: z.array(z.string()), failed_total: count })
      .meta({ description: 'Something that passed fails now, by chance or not.' }),
    missing: z
      .object({
        ...verdict,
        gone: z.array(z.string()),
        gone_total: count,
        unfinished: z.array(z.string()),
        unfinished_total: count,
      })
      .meta({ description: 'Something that finished in the base is gone or has not finished.' }),
  })
  .meta({
    id: 'ComparisonGates',
    description: `What \`assay run --fail-on\` says. At most ${mostNamedCases} cases are named by each; \`…_total\` counts all.`,
  });

/** Answer of a comparison. */
export const runComparison = z
  .object({
    runs: z.array(comparedRun).meta({ description: 'In the order asked for; the base first.' }),
    comparisons: z
      .array(comparisonSummary.extend({ run_id, run_name, gates }).meta({ id: 'AgainstBase' }))
      .meta({ description: 'One for each run but the base, in the same order.' }),
  })
  .meta({ id: 'RunComparison' });
runComparison satisfies z.ZodType<RunComparison>;

/** A page of the pairs of a comparison. */
export const pairPage = z
  .object({
    runs: z.array(runHead).meta({ description: 'In the order asked for; the base first.' }),
    total: count.meta({ description: 'Cases that are in any of the runs.' }),
    filtered: count.meta({ description: 'Cases that match.' }),
    offset: count,
    changes: z.array(changeCounts.nullable()).meta({
      description:
        'For each run in the order of `run`, over what matches all filters but `change`; `null` for the base.',
    }),
    facets: rowFacets.extend({ change: facetValue(change) }).meta({
      id: 'PairFacets',
      description:
        'How many cases a filter by one value would leave, with the filters of other kinds as they are; `change` in any of the runs but the base.',
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
                    '`null` in the base, and where neither the base nor this run has it.',
                }),
                indices: z.array(count).meta({
                  description: 'Of all its results in this run, trials and all.',
                }),
                row: rowPage.shape.rows.element.nullable().meta({
                  description:
                    'The result; `null` when there is none. With trials, `fold` and the trial that says most about the change: the same one in all runs that have it.',
                }),
              }),
            )
            .meta({ description: 'In the order of `run`.' }),
        })
        .meta({ id: 'Pair', description: 'A case in all of the runs compared.' }),
    ),
  })
  .meta({ id: 'PairPage' });
pairPage satisfies z.ZodType<PairPage>;
