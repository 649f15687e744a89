import { isObject } from '../../model/json.js';
import { isTimeout, isWholeUpTo, maxTrials } from '../../model/option-ranges.js';
import type { Json, JsonObject } from '../../model/result.js';
import type { OverridableSetting } from '../../settings/resolve-run-config.js';
import type { RunRequest } from '../discovery/discover.js';

/** A request as saved with the run, with the flags that a rerun repeats. */
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

/** Parses a stored request. Run files are not trusted, so invalid fields count as missing. */
export function parseStoredRequest(selection: JsonObject): StoredRequest {
  const limit = selection.limit;
  const { timeout, trials } = fieldsOf(selection.flags);
  return {
    paths: texts(selection.paths),
    ignore: texts(selection.ignore),
    datasets: texts(selection.datasets),
    labels: texts(selection.labels),
    ...(isWholeUpTo(Number.MAX_SAFE_INTEGER, limit) ? { limit } : {}),
    flags: {
      ...(isTimeout(timeout) ? { timeout } : {}),
      ...(isWholeUpTo(maxTrials, trials) ? { trials } : {}),
    },
  };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
