import { AssayError } from '../../errors.js';
import { areSpans, isCalls } from '../../model/calls/stored-calls.js';
import { isUsage, noUsage, type Usage } from '../../model/calls/usage.js';
import { isCount, isNumber, isObject, isStrings } from '../../model/json.js';
import { entryFields, resultFields } from '../../model/result.js';
import { executionFields } from '../../model/run.js';
import {
  type Fitting,
  faultOf,
  faultText,
  isFlag,
  isText,
  listOf,
  named,
  object,
  optional,
} from '../../model/shapes.js';
import { isShard } from '../../model/shard.js';

// The maximum of a `Date`, in seconds.
const latestTime = 8.64e12;

const isTime = named('a time in Unix seconds', (value): value is number => {
  return isNumber(value) && value >= 0 && value <= latestTime;
});

const isExportedResult = object({
  ...entryFields,
  result: object({
    ...resultFields,
    calls: optional(named('a list of calls', isCalls)),
    spans: optional(named('a list of spans', areSpans)),
  }),
});

/** One result of an exported run. */
export interface ExportedResult extends Fitting<typeof isExportedResult> {}

/** The parts of an exported run that an import needs. Figures are computed from its results. */
const isExportedRun = object({
  run_id: isText,
  session_name: isText,
  run_name: isText,
  created_at: isTime,
  /** Default: `created_at`; so is the next. */
  started_at: optional(isTime),
  updated_at: optional(isTime),
  path: isText,
  config_name: isText,
  shard: optional(named('a part of a run', isShard)),
  /** In an export of some results: the number of results of the run. */
  part_of: optional(isCount),
  state: optional(isText),
  ...executionFields,
  usage: optional(object({ unlisted: optional(named('the usage of calls', isUsage)) })),
  /** Files of older versions have nothing else of the usage. */
  unlisted_cost: optional(isNumber),
  repeats: optional(object({ of_older_version: optional(isFlag) })),
  results: listOf(isExportedResult),
});

/** An exported run as its document has it. */
export interface ExportedRun extends Fitting<typeof isExportedRun> {}

/** Checks an exported run JSON. Error: `bad-request` with the place as a JSON pointer. */
export function parseExportedRun(document: unknown): ExportedRun {
  if (isExportedRun(document)) return document;
  const fault = faultOf(document, isExportedRun);
  const where = fault.at === '' ? 'The document' : fault.at;
  throw new AssayError('bad-request', `Not an exported run: ${where} ${faultText(fault)}.`);
}

/** What attempts spent that have no result; absent for nothing. */
export function unlistedOf({ usage, unlisted_cost: cost }: ExportedRun): Usage | undefined {
  return usage?.unlisted ?? (cost === undefined ? undefined : { ...noUsage, cost });
}

/** Number of full passes; 1 if the document does not say. */
export function passesOf(run: ExportedRun): number {
  const { summary } = run as { readonly summary?: unknown };
  return isObject(summary) && isCount(summary.passes) ? Math.max(1, summary.passes) : 1;
}

/** The rank of a code hash among those of its eval file: the greatest is the newest, 0 is unknown. */
export function newnessOf(run: ExportedRun): ReadonlyMap<string, number> {
  const { code_versions: versions } = run as { readonly code_versions?: unknown };
  const newness = new Map<string, number>();
  if (!Array.isArray(versions)) return newness;
  for (const [rank, version] of versions.entries()) {
    if (!isObject(version) || !isStrings(version.codes)) continue;
    for (const code of version.codes) newness.set(code, versions.length - rank);
  }
  return newness;
}
