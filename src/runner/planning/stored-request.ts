import { AssayError } from '../../errors.js';
import { isCount, isJsonObject, isObject } from '../../model/json.js';
import { isTimeout, isWholeUpTo, maxTrials } from '../../model/option-ranges.js';
import type { Json, JsonObject } from '../../model/result.js';
import { type ResolvedRunConfig, resolveRunConfig } from '../../settings/resolve-run-config.js';
import type { Settings } from '../../settings/settings.js';
import type { RunHeader } from '../../store/replay/run-replay.js';
import type { RunRequest } from '../discovery/discover.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { keptParams, restoredParams } from './secret-params.js';

/** A request as saved with the run, with the flags that a rerun repeats. */
export interface StoredRequest extends RunRequest {
  readonly flags: {
    readonly timeout?: number;
    readonly trials?: number;
    readonly params?: JsonObject;
  };
}

export function toStoredRequest(
  request: RunRequest,
  flags: Pick<ResolvedRunConfig, 'timeout' | 'trials' | 'ownParams'>,
  runner: Pick<RunnerDependencies, 'secrets' | 'env'>,
): JsonObject {
  const { paths, ignore, datasets, labels, where, sample, limit } = request;
  return {
    paths,
    ignore,
    datasets,
    labels,
    ...(where && { where }),
    ...(sample && { sample: { size: sample.size, seed: sample.seed } }),
    ...(limit === undefined ? {} : { limit }),
    flags: {
      ...(flags.timeout.flag === undefined ? {} : { timeout: flags.timeout.flag }),
      ...(flags.trials.flag === undefined ? {} : { trials: flags.trials.flag }),
      ...(flags.ownParams && { params: keptParams(flags.ownParams, runner) }),
    },
  };
}

/** Parses a stored request. Run files are not trusted, so invalid fields count as missing. */
export function parseStoredRequest(selection: JsonObject): StoredRequest {
  const limit = selection.limit;
  const { timeout, trials, params } = fieldsOf(selection.flags);
  const { size, seed } = fieldsOf(selection.sample);
  return {
    paths: texts(selection.paths),
    ignore: texts(selection.ignore),
    datasets: texts(selection.datasets),
    labels: texts(selection.labels),
    ...(selection.where !== undefined && { where: texts(selection.where) }),
    ...(isWholeUpTo(Number.MAX_SAFE_INTEGER, size) && isCount(seed) && { sample: { size, seed } }),
    ...(isWholeUpTo(Number.MAX_SAFE_INTEGER, limit) ? { limit } : {}),
    flags: {
      ...(isTimeout(timeout) ? { timeout } : {}),
      ...(isWholeUpTo(maxTrials, trials) ? { trials } : {}),
      ...(isJsonObject(params) ? { params } : {}),
    },
  };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * The config for running a saved run again: its own, or another one by name, with the flags that it was started
 * with unless there are new ones; secrets in params are those of `env`. Errors: `bad-request` for an unknown config, and
 * those of `restoredParams`.
 */
export function savedRunConfig(
  header: RunHeader,
  settings: Settings,
  env: RunnerDependencies['env'],
  configName?: string,
): ResolvedRunConfig {
  const config =
    configName === undefined ? ownConfig(header, settings) : resolveRunConfig(settings, configName);
  const kept = parseStoredRequest(header.selection).flags;
  const timeout = config.timeout.flag ?? kept.timeout;
  const trials = config.trials.flag ?? kept.trials;
  const ownParams = kept.params && restoredParams(kept.params, env);
  return {
    ...config,
    ...(ownParams && { params: { ...config.params, ...ownParams }, ownParams }),
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
