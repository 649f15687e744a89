import { z } from 'zod';
import {
  type CountedSummary,
  type RunJson,
  runStates,
  type TrialStatistics,
} from '../../model/run.js';
import type { Shard } from '../../model/shard.js';
import type { PassRate } from '../../model/summary/pass-rate.js';
import type { Estimate } from '../../statistics/bounds.js';
import { promptResults } from '../compare/comparisons.js';
import type { ComparedPrevious, RunWithPrevious } from '../compare/previous-runs.js';
import { comparedInListings } from '../compare/previous-runs.js';
import { runUsage } from './call.js';
import { comparisonSummary } from './comparison-summary.js';
import { resultEntry } from './result.js';
import { bounds, intervalChip, scoreChip } from './score.js';
import { clusters, count, ok, unixSeconds } from './values.js';

/** When a run first started and last changed. */
const runTimes = {
  started_at: unixSeconds.meta({
    description: 'Unix seconds; when the run first began. Runs are ordered by it.',
  }),
  updated_at: unixSeconds.meta({
    description: 'Unix seconds; when anything in the run last changed.',
  }),
};

const codeVersions = z.array(z.object({ results: count, codes: z.array(z.string()) })).meta({
  id: 'CodeVersions',
  description:
    'Finished results by the version of the code that graded them last, newest first; absent unless there are several. `codes` are the hashes that these results have as `code`.',
});

/** The results of a run that ran again outside of a pass. */
const repeats = z
  .object({
    results: count,
    passed: count.meta({ description: 'Those of them that pass now.' }),
    regraded: count.exactOptional().meta({
      description: 'Those of them that were only graded again; absent for none.',
    }),
    other_code: count.exactOptional().meta({
      description:
        'Those of them whose code, with params, timeout and score rules of the run config, is not known to be that of the attempt that counts; absent for none. Gates cannot judge the run then.',
    }),
    of_older_version: z.literal(true).exactOptional().meta({
      description:
        'Some are of a version that did not tell full passes apart: of these, the oldest attempts count.',
    }),
  })
  .meta({
    id: 'Repeats',
    description:
      'Results that ran, or were graded, again without all others of their evaluation: pass rate, intervals, trial statistics, gates and comparisons go on counting their attempts of the last pass. Absent for none.',
  });

/** The value of a score, or its verdict; `null` where it was not given. */
const differingValue = z.union([z.number(), z.boolean()]).nullable();

/** Carried results that ran again to verify them. */
const verified = z
  .object({
    carried: count.meta({ description: 'The carried results of the run.' }),
    results: count.meta({ description: 'Those of them that ran again.' }),
    agree: count.meta({
      description:
        'Those with the same verdict, and the same output and scores where no model was called or its calls were replayed.',
    }),
    unknown: count.exactOptional().meta({
      description: 'Those that have not come to an end of their own; absent for none.',
    }),
    replaced: count.exactOptional().meta({
      description: 'Those that ran once more since; absent for none.',
    }),
    differ: count.exactOptional().meta({
      description:
        'Those that differ though no model was called, or its calls were replayed; absent for none.',
    }),
    wrong: z
      .array(
        z.object({
          id: z.string(),
          carried: z.string(),
          now: z.string(),
          scores: z
            .array(z.object({ key: z.string(), carried: differingValue, now: differingValue }))
            .exactOptional(),
        }),
      )
      .exactOptional()
      .meta({
        description:
          'The first of them, with both verdicts, and both values of the `scores` that differ. Both outputs are in the result and its `counted`.',
      }),
    rates: z
      .array(
        z.object({ evaluation: z.string(), carried: count, now: count, of: count, p: z.number() }),
      )
      .exactOptional()
      .meta({
        description:
          'Evaluations of which another number passes now, beyond chance: an exact sign test over cases or clusters, adjusted by Holm. Absent for none.',
      }),
  })
  .meta({
    id: 'Verified',
    description:
      'What came of carried results that ran again with `--verify`: they go on counting as they were carried, and the new draws are repeats. Absent for none.',
  });

/** The results of a run that are of another system than the others. */
const mixed = z
  .object({
    other_code: count.exactOptional().meta({
      description:
        'They completed a pass with other code, params or files than it began with, as after a resume; absent for none.',
    }),
    former_grades: count.exactOptional().meta({
      description: 'A regrade left them with their former grades; absent for none.',
    }),
    gone: count.exactOptional().meta({
      description:
        'Their evaluations were gone when others of the run were to run again; absent for none.',
    }),
  })
  .meta({
    id: 'Mixed',
    description:
      'Results that are not of the same system as the others of their evaluation: gates cannot judge the run. Absent for none.',
  });

/** Verdicts that another grading by the same graders has changed. */
const gradingNoise = z.array(z.object({ key: z.string(), differ: count, of: count })).meta({
  id: 'GradingNoise',
  description:
    'Verdicts of scores that `differ` after a regrade though the code of the grader has not changed, `of` those that were graded again by the same code: the noise of a judge. Absent where none differs.',
});

/** Where rates are left out. */
export const countsOnly = z.literal(true).exactOptional().meta({
  description:
    'What came of the results decided which they are (a filter by anything but dataset, label, evaluation, file, input, reference or authored metadata; or a choice by hand), so that no rate of them says anything: pass rates, intervals and pass@k are left out.',
});

/** What a run says of the system it evaluates. */
const countedSummary = z
  .object({
    counts_only: countsOnly,
    pass_rate: z
      .object({ passed: count, of: count, ...bounds })
      .nullable()
      .meta({ description: '`of` is passed + failed + errors; `null` if that is 0.' }),
    clusters,
    verdicts: z.object({
      passed: count,
      failed: count,
      errors: count,
      none: count.meta({ description: 'Completed, without a score that passed or failed.' }),
    }),
    latency: z.object({ p50: z.number().nullable(), p95: z.number().nullable() }).meta({
      description: 'Seconds.',
    }),
    repeats: count.meta({
      description: 'Results that ran again after that pass: for them, an earlier attempt counts.',
    }),
    passes: z.int().positive().meta({
      description: 'Full passes of the run; 1 where no other is known.',
    }),
    scores: z.array(intervalChip),
  })
  .meta({
    id: 'CountedSummary',
    description:
      'What the run says of the system it evaluates, with 95 % intervals, over the attempts of the last full pass: the figures that gates judge and that every report shows. While the run is in progress, it may lag behind the other fields.',
  });
countedSummary satisfies z.ZodType<CountedSummary>;

const total_pruned = count.exactOptional().meta({
  description: 'Results whose evaluation no longer exists, not counted elsewhere; absent if 0.',
});

/** The fields of a listed run that do not need its results. */
const runFigures = {
  run_id: z.string(),
  run_name: z.string(),
  total_evaluations: count,
  total_pruned,
  total_passed: count,
  total_errors: count,
  timestamp: unixSeconds.meta({ description: 'Unix seconds; when the run last started.' }),
  ...runTimes,
  code_versions: codeVersions.exactOptional(),
  repeats: repeats.exactOptional(),
};

export const previousDescription =
  'The run before: the newest finished run of the session with the same config and params that has at least 80 % of the cases of both.';

/** Why there is no run before. */
export const noPrevious = z.string().exactOptional().meta({
  description: 'Why there is no run before; absent if there is one.',
  example: 'no earlier run of config nano',
});

/** The chips of a listed run. */
const listedChips = {
  score_chips: z.array(scoreChip),
  counted_chips: z.array(scoreChip).exactOptional().meta({
    description:
      'Those of the attempts that count, which trends are of; only if some results are repeats.',
  }),
};

/** The comparison with the run before. */
export const comparedPrevious = z
  .object({
    ...runFigures,
    ...listedChips,
    comparison: comparisonSummary.nullable().meta({
      description:
        'The comparison with it, over all results of both, regardless of filters; `null` while it is being computed, and if one of the runs cannot be read.',
    }),
    is_current: z.boolean().meta({
      description: `False if \`comparison\` is out of date. Runs of more than ${promptResults} results together, runs in progress, and in listings all runs are compared in the background: ask again, or with \`wait=true\`. In listings these are the newest ${comparedInListings.runs} runs at rest, as long as they have no more than ${comparedInListings.results.toLocaleString('en')} results together.`,
    }),
  })
  .meta({ id: 'ComparedPrevious', description: previousDescription });
comparedPrevious satisfies z.ZodType<ComparedPrevious>;

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

const placeInGroup = {
  group: z.string().exactOptional().meta({
    description: 'Name that the runs of one command have in common; absent for a run alone.',
  }),
  group_runs: z.array(z.string()).exactOptional().meta({
    description: 'Ids of the runs of its group, that of the base first; some may be deleted.',
  }),
};

/** Fields of a run, in the order of the document. */
const head = {
  run_id: z.string(),
  session_name: z.string(),
  run_name: z.string(),
  created_at: unixSeconds.meta({ description: 'Unix seconds; when the run last started.' }),
  ...runTimes,
  path: z.string().meta({ description: 'Path of the evals that were run.' }),
  config_name: z.string(),
  params: z.record(z.string(), z.json()).exactOptional().meta({
    description:
      'Params in effect in the last execution, where all evaluations agree on them; absent for none.',
  }),
  shard: shard.exactOptional(),
  ...placeInGroup,
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
    params: head.params,
    ...placeInGroup,
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
