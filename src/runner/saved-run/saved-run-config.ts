import { AssayError } from '../../errors.js';
import { type ResolvedRunConfig, resolveRunConfig } from '../../settings/resolve-run-config.js';
import type { Settings } from '../../settings/settings.js';
import type { RunHeader } from '../../store/replay/run-replay.js';
import { parseStoredRequest } from './stored-request.js';

/**
 * The config for running a saved run again: its own, or another one by name, with the flags that it was started
 * with unless there are new ones. Error: `bad-request` for an unknown config.
 */
export function savedRunConfig(
  header: RunHeader,
  settings: Settings,
  configName?: string,
): ResolvedRunConfig {
  const config =
    configName === undefined ? ownConfig(header, settings) : resolveRunConfig(settings, configName);
  const kept = parseStoredRequest(header.selection).flags;
  const timeout = config.timeout.flag ?? kept.timeout;
  const trials = config.trials.flag ?? kept.trials;
  return {
    ...config,
    timeout: { base: config.timeout.base, ...(timeout === undefined ? {} : { flag: timeout }) },
    trials: { base: config.trials.base, ...(trials === undefined ? {} : { flag: trials }) },
  };
}

function ownConfig(header: RunHeader, settings: Settings): ResolvedRunConfig {
  const { config_name: name, run_name, run_id } = header;
  if (settings.runConfigs.some((config) => config.name === name)) {
    return resolveRunConfig(settings, name);
  }
  const names = settings.runConfigs.map((config) => config.name).join(', ');
  throw new AssayError(
    'bad-request',
    `${run_name} was run with the run config ${JSON.stringify(name)}, which is not in ${settings.file} any more.`,
    {
      hints: [
        `With another one it is a new run: assay run --rerun ${run_id} --run-config NAME`,
        `Run configs: ${names}.`,
      ],
    },
  );
}
