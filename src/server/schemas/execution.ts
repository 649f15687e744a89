import { z } from 'zod';
import type { SettingOverrides } from '../../settings/setting-table.js';
import { count, ok } from './basic-values.js';
import { optional, withoutNulls } from './optional.js';
import { runName } from './parameters.js';

const indices = optional(z.array(count)).meta({
  description: 'Positions of results. Default: all. `[]` is none.',
});

/** Settings that a request may give for its run. */
const runSettings = {
  isolate: optional(z.boolean()).meta({
    description: 'Run each attempt in its own process. Default: the setting `isolate`.',
  }),
  max_cost: optional(z.number().positive()).meta({
    description: 'US dollars that the calls of the run may cost. Default: the setting `max_cost`.',
  }),
};

/** The settings of a request, and the rest of it. */
export function splitSettings<Body extends SettingOverrides>(body: Body) {
  const isSetting = ([key]: [string, unknown]) => key in runSettings;
  const entries = Object.entries(body);
  return {
    settings: Object.fromEntries(entries.filter(isSetting)) as SettingOverrides,
    rest: Object.fromEntries(entries.filter((entry) => !isSetting(entry))) as Omit<
      Body,
      keyof typeof runSettings
    >,
  };
}

const runId = optional(z.string()).meta({
  description: 'Id of a run that becomes the active one first. Default: the active one.',
});

const changedOnly = optional(z.literal('changed')).meta({
  description:
    '`changed`: only results that an edit of code, cases, params or of what evaluations read can have changed; what only has another grading is graded again. Default: all.',
});

/** The body of a rerun request. */
export const rerunBody = z
  .strictObject({
    indices,
    only: changedOnly,
    add_new: optional(z.boolean()).meta({
      description:
        'Also append the evaluations that the run does not have, and run them. Default: only without `indices`.',
    }),
    config_name: optional(z.string()).meta({
      description:
        'Run config. One that differs from that of the run starts a new run named after it.',
    }),
    run_id: runId,
    ...runSettings,
    prune: optional(z.boolean()).meta({
      description:
        'Exclude all results whose evaluation no longer exists from rates, counts and comparisons, until a rerun finds it again. Default: false.',
    }),
  })
  .meta({ id: 'RerunRequest' })
  .transform(withoutNulls);

/** The body of a regrade request. */
export const regradeBody = z
  .strictObject({
    indices,
    run_id: runId,
    regrade_inexact: optional(z.boolean()).meta({
      description:
        'Also grade outputs that are not stored as the target returned them; their scores are marked `inexact`. Default: false.',
    }),
  })
  .meta({ id: 'RegradeRequest' })
  .transform(withoutNulls);

/** The body of a request for a new run. */
export const newRunBody = z
  .strictObject({ run_name: optional(runName), indices, ...runSettings })
  .meta({ id: 'NewRunRequest' })
  .transform(withoutNulls);

/** The body of a resume request. */
export const resumeBody = z
  .object({ max_cost: runSettings.max_cost })
  .meta({ id: 'ResumeRequest' })
  .transform(withoutNulls);

/** The name of the next run. */
export const nextRunNameBody = z.object({ run_name: runName }).meta({ id: 'RunName' });

/** Answer of a rerun. */
export const rerunAnswer = z.object({ ok, run_id: z.string() }).meta({ id: 'RerunAnswer' });

/** Answer of a regrade. */
export const regradeAnswer = z
  .object({
    ok,
    run_id: z.string(),
    regraded: count.meta({ description: 'Results that are graded again.' }),
    skipped_without_target: count.meta({
      description: 'Completed results of the request whose evaluation has no target.',
    }),
    skipped_inexact: count.meta({
      description:
        'Results of the request that keep their grades, because their values are not stored as the target returned them; `inexact_because` of a result says why.',
    }),
  })
  .meta({ id: 'RegradeAnswer' });

/** Answer of a new run. */
export const newRunAnswer = z
  .object({ ok, run_id: z.string(), run_name: z.string() })
  .meta({ id: 'NewRunAnswer' });

/** Answer of pausing. */
export const pauseAnswer = z
  .object({ ok, is_paused: z.literal(true), paused: z.literal(true) })
  .meta({ id: 'PauseAnswer' });

/** Answer of resuming. */
export const resumeAnswer = z
  .object({
    ok,
    resumed: z.boolean().meta({ description: 'False if nothing was left to run.' }),
    run_id: z.string(),
    is_paused: z.literal(false),
  })
  .meta({ id: 'ResumeAnswer' });

/** Answer of stopping. */
export const stopAnswer = z
  .object({ ok, cancelled: count.meta({ description: 'Results that were cancelled.' }) })
  .meta({ id: 'StopAnswer' });

/** Answer of naming the next run. */
export const nextRunNameAnswer = z
  .object({ ok, run_name: z.string() })
  .meta({ id: 'NextRunNameAnswer' });

/** Answer of a restart. */
export const restartAnswer = z
  .object({
    ok,
    total_evaluations: count.meta({ description: 'Results of the not-started run.' }),
    results_dir: z.string().meta({ description: 'Absolute path of the results directory.' }),
    discovery_error: z.string().exactOptional(),
  })
  .meta({ id: 'RestartAnswer' });
