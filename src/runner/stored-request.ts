import type { Json, JsonObject } from '../model/result.js';
import type { OverridableSetting } from '../settings/run-configs.js';
import type { RunRequest } from './discover.js';

const mostTrials = 1000;
/** Seconds. */
const longestTimeout = 86_400;

/** A request as it is kept with the run, with the flags that a rerun repeats. */
export interface StoredRequest extends RunRequest {
  readonly flags: { readonly timeout?: number; readonly trials?: number };
}

export function toStoredRequest(
  request: RunRequest,
  flags: { readonly timeout: OverridableSetting; readonly trials: OverridableSetting },
): JsonObject {
  const { paths, ignore, datasets, labels, limit } = request;
  return {
    paths,
    ignore,
    datasets,
    labels,
    ...(limit === undefined ? {} : { limit }),
    flags: {
      ...(flags.timeout.flag === undefined ? {} : { timeout: flags.timeout.flag }),
      ...(flags.trials.flag === undefined ? {} : { trials: flags.trials.flag }),
    },
  };
}

/** Reads what was kept; run files are not trusted, so what does not fit counts as not given. */
export function parseStoredRequest(selection: JsonObject): StoredRequest {
  const limit = selection.limit;
  const { timeout, trials } = fieldsOf(selection.flags);
  return {
    paths: texts(selection.paths),
    ignore: texts(selection.ignore),
    datasets: texts(selection.datasets),
    labels: texts(selection.labels),
    ...(isWhole(limit, Number.MAX_SAFE_INTEGER) ? { limit } : {}),
    flags: {
      ...(typeof timeout === 'number' && timeout > 0 && timeout <= longestTimeout
        ? { timeout }
        : {}),
      ...(isWhole(trials, mostTrials) ? { trials } : {}),
    },
  };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function fieldsOf(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : {};
}

function isWhole(value: Json | undefined, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}
