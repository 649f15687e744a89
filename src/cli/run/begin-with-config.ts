import { AssayError } from '../../errors.js';
import { storedRequest } from '../../runner/rerun.js';
import type { RunnerDependencies, Started } from '../../runner/runner-dependencies.js';
import { startRun } from '../../runner/start-run.js';
import { defaultRunConfig } from '../../settings/resolve-run-config.js';
import { isSet } from '../switch-variable.js';
import type { RunCommandOptions } from './run-command-options.js';
import { savedRunSettings } from './saved-run-settings.js';

/**
 * Starts the evals of a saved run as a new run with another run config, named after it and in the same session;
 * `undefined` for the run's own config. Errors: those of starting a run, `usage` with row filters.
 */
export async function beginWithConfig(
  runner: RunnerDependencies,
  runId: string,
  configName: string,
  options: RunCommandOptions,
): Promise<Started | undefined> {
  const run = await runner.store.openRun(runId);
  try {
    const { config_name, session_name, run_name } = run.header;
    if (config_name === configName) return undefined;
    const settings = savedRunSettings(run, options, configName);
    refuseFilters(options, run_name);
    return await startRun(runner, {
      ...settings,
      request: storedRequest(run),
      sessionName: session_name,
      ...(configName === defaultRunConfig ? {} : { runName: configName }),
      allowOnly: !isSet(process.env.CI),
    });
  } finally {
    await run.close();
  }
}

/** Filters select results, and a new run has none. */
function refuseFilters({ flags, paths }: RunCommandOptions, runName: string): void {
  const { only = [], dataset = [], label = [], limit } = flags;
  if ([only, dataset, label, paths].every((one) => one.length === 0) && limit === undefined) return;
  throw new AssayError(
    'usage',
    `Another run config runs all of ${runName} as a new run, so filters cannot be given.`,
    { hints: ['Omit --run-config to run some of its results again in place.'] },
  );
}
