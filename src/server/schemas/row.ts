import { z } from 'zod';
import type { ComparedGroup, GroupsBase } from '../../compare/group-differences.js';
import { originKinds, resultStatuses } from '../../model/result.js';
import { longestFieldText } from '../../model/result-field.js';
import { verdicts } from '../../model/scores/verdict.js';
import type { RowGroup } from '../../model/summary/row-groups.js';
import type { ComparedPrevious } from '../compare/previous-run.js';
import type { TableGroup } from '../rows/grouped-rows.js';
import { mostKnownFields } from '../rows/known-fields.js';
import { cutFields, type LightRow, lightRowLimits, rowFlags } from '../rows/light-row.js';
import type { RowSummary } from '../rows/row-summary.js';
import type { RunProgress } from '../rows/run-progress.js';
import type { ScoreHistogram } from '../rows/score-histogram.js';
import type { Fold } from '../rows/trial-groups.js';
import { count } from './basic-values.js';
import { usage, usageTotals } from './call.js';
import { measure } from './comparison-summary.js';
import { origin, reason } from './result.js';
import { passRate, runJson, runState } from './run.js';
import { comparedPrevious } from './run-figures.js';
import { avgChip, ratioChip, score, scoreChip } from './score.js';

const preview = z.string().nullable();
const seconds = z.number().nullable().meta({ description: 'Seconds; `null` if there is none.' });
const flag = z.enum(rowFlags);
const bounds = { low: z.number().nullable(), high: z.number().nullable() };

const fields = {
  index: count.meta({ description: 'Position of the result in the run, from 0.' }),
  id: z.string(),
  function: z.string(),
  dataset: z.string(),
  labels: z.array(z.string()),
  trial: z.int().positive().exactOptional(),
  trial_of: z.string().exactOptional(),
  regradable: z.literal(true).exactOptional(),
  pruned: z.literal(true).exactOptional(),
  status: z.enum(resultStatuses),
  passed: z.boolean().nullable().meta({ description: 'The verdict; `null` if there is none.' }),
  latency: seconds,
  origin: origin.exactOptional(),
  reason: reason.exactOptional(),
  replayed: z.literal(true).exactOptional().meta({
    description: 'The latency comes from recordings, and counts in no figure.',
  }),
  usage: usageTotals.exactOptional(),
  scores: z.array(score).meta({
    description: `At most ${lightRowLimits.scores}, with notes of at most ${lightRowLimits.notes} characters.`,
  }),
  input: preview,
  output: preview,
  reference: preview,
  error: preview,
  annotation: z.string(),
  has: z.array(flag),
  cut: z.array(z.enum(cutFields)).meta({
    description: 'Names of the shortened fields.',
  }),
};

/** A row for a table. */
export const lightRow = z.object(fields).meta({
  id: 'LightRow',
  description: `A result with its long values as text on one line, of at most ${lightRowLimits.preview} characters: strings unchanged, anything else as compact JSON.`,
});
lightRow satisfies z.ZodType<LightRow>;

const foldSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the case, without the trial.' }),
    indices: z.array(count).meta({ description: 'Indices of all its trials, matching or not.' }),
    trials: count,
    finished: count,
    passed: count,
    flaky: z.boolean().meta({ description: 'Some trials passed and some did not.' }),
    standings: z
      .array(
        z.enum([
          ...verdicts,
          'error',
          'not_started',
          'pending',
          'running',
          'cancelled',
          'pruned',
        ] as const),
      )
      .meta({ description: 'The state of each trial, in the order of `indices`.' }),
    distinct_outputs: count.meta({
      description: 'The number of distinct outputs of the completed trials; 0 if one is unknown.',
    }),
    chips: z.array(scoreChip),
    average_latency: seconds,
    usage: usageTotals.exactOptional(),
  })
  .meta({ id: 'Fold', description: 'The trials behind a row that represents all of them.' });
foldSchema satisfies z.ZodType<Fold>;

const intervalChip = z
  .discriminatedUnion('type', [
    ratioChip.extend({ interval: z.object(bounds) }),
    avgChip.extend({
      interval: z.object(bounds),
      passed_interval: z
        .object(bounds)
        .exactOptional()
        .meta({ description: 'The interval of the share that passed; present with `passed`.' }),
    }),
  ])
  .meta({
    id: 'IntervalChip',
    description:
      'A Score chip with the 95 % interval of its share or mean, over cases, because trials of one case are not independent. The bounds are `null` if there is no interval: for a mean of fewer than 20 cases, if all values are (nearly) equal, and for unbounded values.',
  });

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
  pass_rate: passRate
    .nullable()
    .meta({ description: '`null` if nothing has a verdict or is an error.' }),
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
    chips: z.array(scoreChip),
    latency: z.object({ count: latencies, p50, p95 }),
    usage: usage.exactOptional(),
  })
  .meta({ id: 'RowGroup', description: 'The figures of the rows that share a value.' });
rowGroup satisfies z.ZodType<RowGroup>;

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
tableGroup satisfies z.ZodType<TableGroup>;

const summary = z
  .object({
    counts,
    chips: z.array(intervalChip),
    latency,
    usage: usage.exactOptional(),
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
        id: 'RunProgress',
        description:
          'The progress of the whole run, regardless of filters, from the same moment as these rows and figures.',
      }),
    previous: comparedPrevious.nullable().meta({
      description: 'The previous run of the session, with the comparison; `null` if there is none.',
    }),
  })
  .meta({ id: 'RowSummary', description: 'The figures of the matching rows.' });
summary satisfies z.ZodType<
  RowSummary & {
    readonly progress: RunProgress;
    readonly previous: ComparedPrevious | null;
    readonly groups?: readonly TableGroup[];
    readonly histograms?: readonly ScoreHistogram[];
  }
>;

/** A page of the rows of a run. */
export const rowPage = z
  .object({
    total: count.meta({ description: 'Results of the run.' }),
    filtered: count.meta({ description: 'Results that match.' }),
    count: count.meta({
      description: 'Rows of the list: less than `filtered` if trials are folded.',
    }),
    offset: count,
    rows: z.array(
      z
        .object({
          ...fields,
          fields: z
            .array(preview)
            .exactOptional()
            .meta({
              description: `The values of each \`field\` asked for, as text of at most ${longestFieldText} characters; \`null\` where there is none. Of one result, also where trials are folded.`,
            }),
          fold: foldSchema.exactOptional(),
        })
        .meta({ id: 'TableRow' }),
    ),
    summary: summary.exactOptional(),
  })
  .meta({ id: 'RowPage' });

const comparedGroup = rowGroup
  .extend({
    difference: z
      .object({
        ...measure,
        adjusted_p_value: z.number().nullable().meta({
          description:
            "The p-value with Holm's correction over all groups of the run; `null` if the group is not tested, like `p_value`, because it has fewer than two pairs.",
        }),
        beyond_chance: z.boolean().meta({ description: 'The adjusted p-value is below 0.05.' }),
      })
      .exactOptional()
      .meta({
        id: 'GroupDifference',
        description:
          'The pass rate of the cases of a group in the previous run of the session (`base`) and in this one (`other`), over all trials of the cases that both have, regardless of filters.',
      }),
  })
  .meta({ id: 'ComparedGroup', description: 'A group, compared with the previous run.' });
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
      description: 'The previous run of the session; `null` if there is none.',
    }),
    groups: z.array(comparedGroup),
  })
  .meta({ id: 'RowGroups' });

/** Names, states and latencies of the rows of a list. */
export const rowOutlines = z
  .object({
    count: count.meta({ description: 'Rows of the list.' }),
    offset: count,
    rows: z.array(
      z
        .object({
          index: fields.index,
          function: fields.function,
          dataset: fields.dataset,
          labels: fields.labels,
          trial: fields.trial,
          pruned: fields.pruned,
          status: fields.status,
          passed: fields.passed,
          latency: fields.latency,
          replayed: fields.replayed,
          fold: foldSchema.exactOptional(),
        })
        .meta({ id: 'RowOutline', description: 'A row without what the log has of it.' }),
    ),
  })
  .meta({ id: 'RowOutlines' });

/** Indices of the rows that match. */
export const rowIndices = z
  .object({
    indices: z.array(count),
    total: count,
    filtered: count,
    groups: z.array(z.array(count)).exactOptional().meta({
      description: 'The indices of each group; present with `by`.',
    }),
  })
  .meta({ id: 'RowIndices' });

/** The fields that the results of a run have. */
export const knownFields = z
  .object({
    fields: z
      .array(
        z
          .object({
            field: z
              .string()
              .meta({ description: 'Such as `metadata.tier` or `output.order.id`.' }),
            results: count.meta({ description: 'Sampled results with a value.' }),
            values: count.meta({ description: 'Different values among them.' }),
          })
          .meta({ id: 'KnownField' }),
      )
      .max(mostKnownFields),
  })
  .meta({ id: 'KnownFields' });
