import { z } from 'zod';
import { type RunJson, runStates, type TrialStatistics } from '../../model/run.js';
import type { Shard } from '../../model/shard.js';
import type { PassRate } from '../../model/summary/pass-rate.js';
import type { Estimate } from '../../statistics/bounds.js';
import type { RunWithPrevious } from '../compare/previous-run.js';
import { count, ok, unixSeconds } from './basic-values.js';
import { runUsage } from './call.js';
import { resultEntry } from './result.js';
import {
  codeVersions,
  comparedPrevious,
  countedSummary,
  gradingNoise,
  listedChips,
  mixed,
  previousDescription,
  repeats,
  runFigures,
  runTimes,
  total_pruned,
  verified,
} from './run-figures.js';
import { scoreChip } from './score.js';

/** The state of a run. */
export const runState = z.enum(runStates).meta({
  id: 'RunState',
  description: '`interrupted`: its process ended and left results `pending`.',
});

const share = z.number().min(0).max(1);

const estimate = z.object({ estimate: share, low: share.nullable(), high: share.nullable() }).meta({
  id: 'Estimate',
  description: 'A share with its 95 % interval; `null` if there is none.',
});
estimate satisfies z.ZodType<Estimate>;

const trialStatistics = z
  .object({
    flaky: count,
    by_k: z.array(
      z.object({
        k: z.int().positive(),
        n: count.meta({ description: 'Cases with at least k judged trials.' }),
        pass_at: estimate,
        pass_all: estimate,
      }),
    ),
  })
  .meta({
    id: 'TrialStatistics',
    description: 'Over the graded cases with trials; `by_k` is empty if there are none.',
  });
trialStatistics satisfies z.ZodType<TrialStatistics>;

const shard = z
  .object({
    part: z.int().positive(),
    of: z.int().positive(),
    cases: count,
    plan: z.string(),
    config: z.string(),
    code: z.string().exactOptional(),
    balance: z.string().exactOptional(),
  })
  .meta({
    id: 'Shard',
    description:
      'Only in a part of a run (`assay run --shard`). The cases of the whole, and hashes of its ids, its settings, its code and, if the parts are balanced, of the latencies.',
  });
shard satisfies z.ZodType<Shard>;

/** Fields of a run, in the order of the document. */
const head = {
  run_id: z.string(),
  session_name: z.string(),
  run_name: z.string(),
  created_at: unixSeconds.meta({ description: 'Unix seconds; when the run last started.' }),
  ...runTimes,
  path: z.string().meta({ description: 'Path of the evals that were run.' }),
  config_name: z.string(),
  shard: shard.exactOptional(),
  total_evaluations: count,
  total_pruned,
  total_functions: count,
  total_passed: count,
  total_errors: count,
  total_with_scores: count,
  average_latency: z.number().meta({ description: 'Seconds, over results that have a latency.' }),
  summary: countedSummary,
  trials: count.exactOptional().meta({
    description:
      'The largest number of trials of a case; this and the next fields only for runs with trials.',
  }),
  pass_at_k: share
    .exactOptional()
    .meta({ description: 'Share of cases that passed in at least one trial.' }),
  pass_all_k: share
    .exactOptional()
    .meta({ description: 'Share of cases that passed in every trial.' }),
  trial_statistics: trialStatistics.exactOptional(),
  code_versions: codeVersions.exactOptional(),
  repeats: repeats.exactOptional(),
  verified: verified.exactOptional(),
  mixed: mixed.exactOptional(),
  grading_noise: gradingNoise.exactOptional(),
  usage: runUsage.exactOptional(),
  unlisted_cost: z.number().exactOptional().meta({
    description:
      'The cost of `usage.unlisted`: US dollars of what has no result, such as attempts that were stopped, as far as it is known.',
  }),
  prices: z.string().exactOptional().meta({
    description: 'Name and version of the list by which its calls were priced.',
  }),
  commit: z.string().exactOptional().meta({
    description:
      'The commit of the working tree in which it last ran; absent without git, or if the execution has not come to its end.',
  }),
  dirty: z.literal(true).exactOptional().meta({
    description: 'Files of that commit were changed.',
  }),
  waited: z.record(z.string(), z.number()).exactOptional().meta({
    description: 'Seconds in which `rates` held at least one call of the run, by model.',
  }),
  max_cost: z.number().exactOptional().meta({
    description:
      'US dollars that the calls of the current or last execution may cost, with those of the executions that it resumes; absent without a budget.',
  }),
  outcome: z.literal('budget').exactOptional().meta({
    description: '`budget` when the last execution ended because the run had spent its `max_cost`.',
  }),
  state: runState,
  part_of: count.exactOptional().meta({
    description:
      'In an export of some results: the number of results of the run. All figures are those of the exported ones.',
  }),
};

const results = z
  .array(resultEntry)
  .meta({ description: 'In order: the position of a result is its `index`.' });

/** Run JSON as in exports. */
export const runJson = z.object({ ...head, results }).meta({ id: 'Run' });
runJson satisfies z.ZodType<RunJson>;

/** Run JSON with the additional fields of the API. */
export const runData = z
  .object({
    ...head,
    score_chips: z.array(scoreChip),
    eval_path: z.string(),
    is_paused: z.boolean().exactOptional().meta({ description: 'Only for the active run.' }),
    selected_total: count.exactOptional().meta({
      description:
        'Only for the active run: the number of results selected for the current or last execution.',
    }),
    discovery_error: z.string().exactOptional().meta({
      description:
        'Files that the last discovery could not find or import, for any run; only for the active run.',
    }),
    results,
  })
  .meta({ id: 'RunData' });

/** The pass rate, the same number wherever a run is shown. */
export const passRate = z.object({ passed: count, total: count, ...estimate.shape }).meta({
  id: 'PassRate',
  description:
    'passed / (passed + failed + errors) with its 95 % interval. The interval is over cases, because trials of one case are not independent.',
});
passRate satisfies z.ZodType<PassRate>;

/** A run in a listing. */
export const runSummary = z
  .object({
    ...runFigures,
    state: runState,
    ...listedChips,
    config_name: z.string(),
    pass_rate: passRate.nullable().meta({
      description: '`null` if nothing has a verdict or is an error.',
    }),
    previous: comparedPrevious.nullable().meta({
      description: `${previousDescription} With the comparison; \`null\` if there is none.`,
    }),
  })
  .meta({ id: 'RunSummary' });
runSummary satisfies z.ZodType<RunWithPrevious>;

/** The runs in progress. */
export const runsInProgress = z
  .object({
    runs: z
      .array(
        z.object({
          run_id: z.string(),
          session_name: z.string(),
          run_name: z.string(),
          total_evaluations: count,
          timestamp: unixSeconds.meta({ description: 'When the run last started.' }),
          state: runState,
        }),
      )
      .meta({ description: 'Running or paused; newest first, by when they first started.' }),
  })
  .meta({ id: 'RunsInProgress' });

/** Answer of renaming a run. */
export const renamedRun = z
  .object({ ok, run: z.object({ run_id: z.string(), run_name: z.string() }) })
  .meta({ id: 'RenamedRun' });
