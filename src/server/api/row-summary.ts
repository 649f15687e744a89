import { z } from 'zod';
import type { ComparedGroup, GroupsBase } from '../../compare/group-differences.js';
import { originKinds, resultStatuses } from '../../model/result.js';
import { verdicts } from '../../model/scores/verdict.js';
import { textPlaces } from '../../model/selection/result-texts.js';
import type { RowGroup } from '../../model/summary/row-groups.js';
import type { StoredRun } from '../../store/stored-run.js';
import type { ComparedPrevious } from '../compare/previous-runs.js';
import type { GroupedRows } from '../rows/groups.js';
import type { scoreHistograms } from '../rows/row-summary.js';
import type { RowTable } from '../rows/row-table.js';
import type { progressOf } from '../workspace/progress.js';
import { correctedScores } from './calibration.js';
import { runUsage } from './call.js';
import { groupMeasure } from './comparison-summary.js';
import {
  comparedPrevious,
  countsOnly,
  noPrevious,
  passRate,
  previousDescription,
  runJson,
  runState,
} from './run.js';
import { intervalChip, scoreChip } from './score.js';
import { checkProblem, clusters, count, seconds } from './values.js';

/** How many rows came to what. */
const counts = z.object({
  results: count,
  passed: count,
  failed: count,
  errors: count,
  no_verdict: count.meta({ description: 'Completed, without a score that passed or failed.' }),
  unfinished: count.meta({ description: 'Not started, pending, running or cancelled.' }),
  pruned: count.meta({
    description: 'Results whose evaluation no longer exists; not counted elsewhere.',
  }),
  cases: count.meta({ description: 'Cases: the trials of a case count once.' }),
  functions: count.meta({
    description: 'Evaluations: all cases and trials of one count once.',
  }),
  clusters,
  pass_rate: passRate.nullable().meta({
    description: '`null` if nothing has a verdict or is an error, and with `counts_only`.',
  }),
});

const latency = z
  .object({
    count,
    replayed: count.exactOptional().meta({
      description: 'Rows whose latency comes from recordings; not counted elsewhere.',
    }),
    average: seconds,
    p50: seconds,
    p95: seconds,
    histogram: z.array(z.object({ from: z.number(), to: z.number(), count })).meta({
      description: 'Buckets of a quarter of an octave; `to` is exclusive.',
    }),
  })
  .meta({ description: 'Seconds, over the rows with a latency.' });

const { results, passed, failed, errors, no_verdict, unfinished, pruned, pass_rate } = counts.shape;
const { count: latencies, p50, p95 } = latency.shape;

const rowGroup = z
  .object({
    key: z
      .string()
      .nullable()
      .meta({ description: 'The shared value; `null` for rows without one.' }),
    ...{ results, passed, failed, errors, no_verdict, unfinished, pruned },
    flaky: count.exactOptional().meta({
      description: 'Cases with trials that passed and trials that did not; absent without trials.',
    }),
    pass_rate,
    counts_only: countsOnly,
    chips: z.array(scoreChip),
    latency: z.object({ count: latencies, p50, p95 }),
    usage: runUsage.exactOptional(),
  })
  .meta({ id: 'RowGroup', description: 'The figures of the rows that share a value.' });
rowGroup satisfies z.ZodType<RowGroup>;

/** A group of a list of rows. */
const tableGroup = rowGroup
  .extend({
    rows: count.meta({
      description: 'Rows of the list: less than `results` if trials are folded.',
    }),
  })
  .meta({
    id: 'TableGroup',
    description:
      'A group of a list. The last one may have no key: its rows have no value, or one that too few rows share.',
  });
tableGroup satisfies z.ZodType<ReturnType<GroupedRows['groups']>[number]>;

const comparedGroup = rowGroup
  .extend({
    difference: z.object(groupMeasure).exactOptional().meta({
      id: 'GroupDifference',
      description:
        'The pass rate of the cases of a group in the run before (`base`) and in this one (`other`), over all trials of the cases that both have, regardless of filters. A group of fewer than two pairs has no test.',
    }),
  })
  .meta({ id: 'ComparedGroup', description: 'A group, compared with the run before.' });
comparedGroup satisfies z.ZodType<ComparedGroup>;

const groupsBase = z.object({
  run_id: z.string(),
  run_name: z.string(),
  not_compared: z.string().exactOptional().meta({
    description: 'The reason why groups are not compared with it; then they have no `difference`.',
  }),
});
groupsBase satisfies z.ZodType<GroupsBase>;

/** Maximum groups of an answer. */
export const mostGroups = 1000;

/** The groups of the rows of a run. */
export const rowGroups = z
  .object({
    by: z.string().meta({ description: 'What rows are grouped by.' }),
    total: count.meta({ description: 'Results of the run.' }),
    filtered: count.meta({ description: 'Results that match.' }),
    count: count.meta({ description: `Groups; \`groups\` has the first ${mostGroups}.` }),
    previous: groupsBase.nullable().meta({
      description: `${previousDescription} \`null\` if there is none.`,
    }),
    no_previous: noPrevious,
    groups: z.array(comparedGroup),
    problem: checkProblem,
  })
  .meta({ id: 'RowGroups' });

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
    found: z
      .array(z.object({ in: z.enum(textPlaces), results: count }))
      .exactOptional()
      .meta({
        description:
          'With `search`: in how many rows a word was found, by where it stands. A row may have it in several places.',
      }),
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
    corrected: correctedScores,
  })
  .meta({ id: 'RowSummary', description: 'The figures of the matching rows.' });
rowSummary satisfies z.ZodType<
  ReturnType<Awaited<ReturnType<RowTable['query']>>['summary']> & {
    readonly previous: ComparedPrevious | null;
    readonly no_previous?: string;
    readonly progress: ReturnType<typeof progressOf>;
    readonly groups?: ReturnType<GroupedRows['groups']>;
    readonly histograms?: ReturnType<typeof scoreHistograms>;
    readonly corrected?: ReturnType<StoredRun['corrected']>;
  }
>;
