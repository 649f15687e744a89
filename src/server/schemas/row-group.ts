import { z } from 'zod';
import type { ComparedGroup, GroupsBase } from '../../compare/group-differences.js';
import type { RowGroup } from '../../model/summary/row-groups.js';
import type { TableGroup } from '../rows/grouped-rows.js';
import { clusters, count, seconds } from './basic-values.js';
import { runUsage } from './call.js';
import { checkProblem } from './changes.js';
import { groupMeasure } from './comparison-summary.js';
import { passRate } from './run.js';
import { countsOnly, noPrevious, previousDescription } from './run-figures.js';
import { scoreChip } from './score.js';

/** How many rows came to what. */
export const counts = z.object({
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

/** The latencies of rows. */
export const latency = z
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
export const tableGroup = rowGroup
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
