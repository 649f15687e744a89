import type { RunRequest } from '../../runner/discovery/discover.js';
import type { RunListener } from '../../runner/events.js';
import { openRunner } from '../../runner/open-runner.js';
import type { MakeExecutor, RunnerDependencies } from '../../runner/runner-dependencies.js';
import type { Settings } from '../../settings/settings.js';

export interface RunnerSurroundings {
  /** Absolute; the working directory of evaluations. */
  readonly cwd: string;
  /** The environment without the variables of the `.env` file. */
  readonly env: NodeJS.ProcessEnv;
  /** The variables that the `.env` file adds. */
  readonly addedEnv: { readonly [name: string]: string };
  /** The arguments of the server: saved runs may take evals from these paths too. */
  readonly request: RunRequest;
  /** Report the paths that evaluations touch. Default false. */
  readonly watches?: boolean | undefined;
  /** Default: a pool of processes on this machine. */
  readonly makeExecutor?: MakeExecutor;
}

/** Opens the runner of a server: over the results directory of the settings, tolerating import failures. */
export async function makeRunner(
  { cwd, env, addedEnv, request, watches, makeExecutor }: RunnerSurroundings,
  settings: Settings,
  onEvent: RunListener,
): Promise<RunnerDependencies> {
  const runner = await openRunner({
    cwd,
    env,
    addedEnv,
    resultsDir: settings.effective('results_dir').value,
    recordingsDir: settings.effective('recordings_dir').value,
    named: request.paths,
    toleratesImportFailures: true,
    waitsForRoom: true,
    watches: watches === true,
    ...(makeExecutor && { makeExecutor }),
    onEvent,
  });
  // Reports what a listing could not read or moved aside, which nothing else does.
  runner.store.onWarning = (text) => onEvent({ type: 'warned', text });
  return runner;
}
