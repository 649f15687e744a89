import { z } from 'zod';
import { originKinds, resultStatuses } from '../../model/result.js';
import { verdicts } from '../../model/scores/verdict.js';
import type { ComparedPrevious } from '../compare/previous-run.js';
import type { TableGroup } from '../rows/grouped-rows.js';
import type { RowSummary } from '../rows/row-summary.js';
import type { ExecutionProgress } from '../rows/run-progress.js';
import type { ScoreHistogram } from '../rows/score-histogram.js';
import { count } from './basic-values.js';
import { runUsage } from './call.js';
import { counts, latency, tableGroup } from './row-group.js';
import { runJson, runState } from './run.js';
import { comparedPrevious, countsOnly, noPrevious, previousDescription } from './run-figures.js';
import { intervalChip } from './score.js';

/** Number of rows that match each value. */
export const facetValue = <T extends z.ZodType>(value: T) => z.array(z.object({ value, count }));

/** Values to filter rows by. */
export const rowFacets = z
  .object({
    dataset: facetValue(z.string()),
    label: facetValue(z.string()),
    status: facetValue(z.enum([...resultStatuses, ...verdicts, 'pruned'] as const)),
    score: z.array(
      z.object({
        key: z.string(),
        passed: count,
        failed: count,
        valued: count.meta({ description: 'Rows in which the score has a value.' }),
      }),
    ),
    flaky: facetValue(z.boolean()),
    origin: facetValue(z.enum(originKinds)),
    cut: z
      .array(z.enum(['dataset', 'label', 'score']))
      .meta({ description: 'Names of the lists that were cut to their 200 most frequent values.' }),
  })
  .meta({
    id: 'RowFacets',
    description: 'The number of rows that match one value, given the filters of all other kinds.',
  });

const { trials, pass_at_k, pass_all_k, trial_statistics } = runJson.shape;

/** The figures of the matching rows of a list. */
export const rowSummary = z
  .object({
    counts_only: countsOnly,
    counts,
    chips: z.array(intervalChip),
    latency,
    usage: runUsage.exactOptional(),
    trials: z
      .object({
        trials: trials.unwrap(),
        pass_at_k: pass_at_k.unwrap(),
        pass_all_k: pass_all_k.unwrap(),
        trial_statistics: trial_statistics.unwrap(),
      })
      .exactOptional()
      .meta({
        description: 'Over all trials of the cases with a matching trial.',
      }),
    flaky: count.exactOptional().meta({
      description:
        'With `counts_only`, in place of `trials`: cases with trials that passed and trials that did not.',
    }),
    groups: z.array(tableGroup).exactOptional().meta({
      description: 'The groups of the list, in its order; present with `by`.',
    }),
    histograms: z
      .array(
        z.object({
          key: z.string(),
          from: z.number(),
          to: z.number(),
          counts: z.array(count),
        }),
      )
      .exactOptional()
      .meta({
        description:
          'The values of the scores asked for with `histogram`, in ten equally wide buckets.',
      }),
    facets: rowFacets,
    progress: z
      .object({
        state: runState,
        selected_total: count.meta({
          description: 'The number of results selected for the current or last execution.',
        }),
        unfinished: count.meta({
          description: 'The number of pending and running results.',
        }),
        running: count,
      })
      .meta({
        id: 'ExecutionProgress',
        description:
          'The progress of the whole run, regardless of filters, from the same moment as these rows and figures.',
      }),
    previous: comparedPrevious.nullable().meta({
      description: `${previousDescription} With the comparison; \`null\` if there is none.`,
    }),
    no_previous: noPrevious,
  })
  .meta({ id: 'RowSummary', description: 'The figures of the matching rows.' });
rowSummary satisfies z.ZodType<
  RowSummary & {
    readonly progress: ExecutionProgress;
    readonly previous: ComparedPrevious | null;
    readonly no_previous?: string;
    readonly groups?: readonly TableGroup[];
    readonly histograms?: readonly ScoreHistogram[];
  }
>;
