import type { Json, JsonObject } from '../model/result.js';
import type { OverridableSetting } from '../settings/run-configs.js';
import type { RunRequest } from './discover.js';

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
  const flags = selection.flags;
  return {
    paths: texts(selection.paths),
    ignore: texts(selection.ignore),
    datasets: texts(selection.datasets),
    labels: texts(selection.labels),
    ...(typeof limit === 'number' && limit > 0 ? { limit } : {}),
    flags: {
      ...positive('timeout', flags),
      ...positive('trials', flags),
    },
  };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function positive<K extends string>(key: K, flags: Json | undefined): { [P in K]?: number } {
  if (typeof flags !== 'object' || flags === null || Array.isArray(flags)) return {};
  const value = (flags as JsonObject)[key];
  // The computed key loses its literal type.
  return typeof value === 'number' && value > 0 ? ({ [key]: value } as { [P in K]: number }) : {};
}
