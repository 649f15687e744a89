import { resolve } from 'node:path';
import type { RunRequest } from '../../runner/discover.js';
import type { RunListener } from '../../runner/events.js';
import { openRunner } from '../../runner/open-runner.js';
import type { Runner } from '../../runner/runner.js';
import type { Settings } from '../../settings/settings.js';

export interface RunnerSurroundings {
  /** Absolute; the working directory of evaluations. */
  readonly cwd: string;
  /** The environment without what the `.env` file adds. */
  readonly env: NodeJS.ProcessEnv;
  /** What the `.env` file adds. */
  readonly addedEnv: { readonly [name: string]: string };
  /** What was named when the server was started: saved runs may take evals from there, too. */
  readonly request: RunRequest;
}

/** The runner of a server: over the results directory of the settings, and runs what can be imported. */
export async function makeRunner(
  { cwd, env, addedEnv, request }: RunnerSurroundings,
  settings: Settings,
  onEvent: RunListener,
): Promise<Runner> {
  const runner = await openRunner({
    cwd,
    env,
    addedEnv,
    resultsDir: settings.effective('results_dir').value,
    roots: [cwd, ...request.paths.map((path) => resolve(cwd, path.split('::')[0] ?? path))],
    toleratesImportFailures: true,
    waitsForRoom: true,
    onEvent,
  });
  // Nobody else says what a listing could not read or has set aside.
  runner.store.onWarning = (text) => onEvent({ type: 'warned', text });
  return runner;
}
