import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { AssayError, hasSystemCode } from '../../errors.js';
import { areSpans, isCalls } from '../../model/calls/stored-calls.js';
import { isUsage, noUsage, type Usage } from '../../model/calls/usage.js';
import {
  isCount,
  isNestedDeeper,
  isNumber,
  isObject,
  isStrings,
  mostJsonLevels,
} from '../../model/json.js';
import { isExportedReview } from '../../model/labels.js';
import { exportedOutputHash } from '../../model/output-hash.js';
import type { ReadableRun } from '../../model/readable-run.js';
import {
  asCounted,
  caseIdOf,
  entryFields,
  identityOf,
  isFinished,
  type ResultEntry,
  type RowFacts,
  resultFields,
} from '../../model/result.js';
import {
  executionFacts,
  executionFields,
  placeFields,
  type RunHead,
  runPlaceOf,
  runStates,
} from '../../model/run.js';
import { tidyScore } from '../../model/scores/score-shape.js';
import {
  type Fitting,
  faultOf,
  faultText,
  isFlag,
  isText,
  listOf,
  named,
  object,
  only,
  optional,
} from '../../model/shapes.js';
import { countedSummary, countsOf, countsOfSummary } from '../../model/summary/counts-only.js';
import { headFigures, summarise } from '../../model/summary/summary.js';
import { countOf } from '../../text/count-text.js';
import { findJsonFault } from '../../text/json-position.js';
import { nameText, quotedName } from '../../text/name-text.js';
import { positionAt } from '../../text/text-position.js';
import { toFacts as toScoreFacts } from '../replay/score-lists.js';

/**
 * Reads a JSON file. `name`: of the file in errors; `what`: the expected content. Error: `unreadable-run` with the line
 * and column of a syntax error.
 */
export async function readRunDocument(
  path: string,
  name: string,
  what = 'exported run JSON',
): Promise<unknown> {
  return parseRunDocument(await readRunText(path, name, what), name, what);
}

/** Parses the JSON of {@link readRunDocument}, with the same errors. */
export function parseRunDocument(text: string, name: string, what = 'exported run JSON'): unknown {
  if (isNestedDeeper(text, mostJsonLevels)) {
    const message = `${nameText(name)} is no ${what}: it is nested deeper than ${mostJsonLevels} levels.`;
    throw new AssayError('unreadable-run', message);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const { offset, reason } = findJsonFault(text.trimEnd());
    const { line, column } = positionAt(text, offset);
    const message = `${nameText(name)}:${line}:${column}: this is no ${what}: ${reason}.`;
    throw new AssayError('unreadable-run', message, { cause });
  }
}

/** The text of a file that {@link parseRunDocument} parses. Error: `unreadable-run`. */
export async function readRunText(
  path: string,
  name: string,
  what = 'exported run JSON',
): Promise<string> {
  try {
    // Reading a pipe might never end.
    const stats = await stat(path);
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is no regular file');
    if (stats.size > constants.MAX_STRING_LENGTH) throw new Error('it is larger than 512 MB');
    const text = await readFile(path, 'utf8');
    return text.startsWith('\uFEFF') ? text.slice(1) : text;
  } catch (cause) {
    const message = `${nameText(name)} is no ${what}: ${reasonText(cause)}.`;
    throw new AssayError('unreadable-run', message, { cause });
  }
}

function reasonText(error: unknown): string {
  if (hasSystemCode(error, 'ENOENT')) return 'there is no such file';
  if (hasSystemCode(error, 'EISDIR')) return 'it is a folder';
  if (hasSystemCode(error, 'ELOOP')) return 'it is a link that leads in a circle';
  if (hasSystemCode(error, 'EACCES', 'EPERM')) return 'permission denied';
  return error instanceof Error ? error.message : String(error);
}

/** Adds the name of the file to an error in a document. */
export function namingFile(name: string, error: AssayError): AssayError {
  if (error.code !== 'bad-request') return error;
  return new AssayError(error.code, `${nameText(name)}: ${error.message}`, { hints: error.hints });
}

/**
 * An exported run JSON as a readable run, without importing it. All figures except `total_functions` and `state` are
 * computed from the results, and `summary.passes` is taken over. Error: `bad-request` with the place in the document.
 */
export function toReadableRun(document: unknown): ReadableRun {
  const run = parseExportedRun(document);
  const { results } = run;
  const newness = newnessOf(run);
  const rows = results.map((result) => toRow(result, newness));
  const hasOldRepeats = run.repeats?.of_older_version === true;
  const summary = summarise(rows, undefined, { unlisted: unlistedOf(run), hasOldRepeats });
  return {
    head: toHead(run, rows, summary),
    scoreChips: summary.score_chips,
    rows,
    async *entries(indices) {
      for (const index of indices ?? results.keys()) {
        const result = results[index];
        if (result !== undefined) yield { index, entry: toEntry(result) };
      }
    },
    trace(index) {
      const { calls = [], spans } = results[index]?.result ?? {};
      return { calls, ...(spans && { spans }) };
    },
  };
}

function toHead(
  run: ExportedRun,
  rows: readonly RowFacts[],
  summary: ReturnType<typeof summarise>,
): RunHead {
  const { run_id, session_name, run_name, created_at, path, config_name } = run;
  const { started_at = created_at, updated_at = created_at, state } = run;
  const { total_functions } = run as { readonly [key: string]: unknown };
  const counted = countedSummary(rows, summary, { passes: passesOf(run) });
  const countsOnly = hasCountsOnly(run);
  return {
    ...{ run_id, session_name, run_name, created_at, started_at, updated_at, path, config_name },
    ...runPlaceOf(run),
    ...headFigures(countsOnly ? countsOfSummary(summary) : summary),
    summary: countsOnly ? countsOf(counted) : counted,
    // A result does not contain its evaluation.
    ...(isCount(total_functions) && total_functions <= run.results.length
      ? { total_functions }
      : {}),
    ...executionFacts(run),
    state: runStates.find((known) => known === state) ?? 'finished',
  };
}

function toRow(entry: ExportedResult, newness: ReadonlyMap<string, number>): RowFacts {
  const newest = toFacts(entry, newness);
  if (entry.counted === undefined) return newest;
  return { ...newest, counted: toFacts(asCounted(entry), newness) };
}

function toFacts(entry: ResultEntry, newness: ReadonlyMap<string, number>): RowFacts {
  const { status, latency, scores, output, code, origin, usage, replaced_usage } = entry.result;
  const { started_at, verifies } = entry.result;
  return {
    ...identityOf(entry),
    evaluation: caseIdOf(entry),
    ...{ status, latency, scores: scores.map(toScoreFacts), code, origin, usage, replaced_usage },
    outputHash: isFinished({ status }) ? exportedOutputHash(output) : undefined,
    finished: newness.get(code ?? ''),
    startedAt: started_at === undefined ? undefined : Date.parse(started_at),
    pruned: entry.pruned,
    gone: entry.gone,
    otherCode: entry.other_code,
    hasFormerGrade: entry.former_grade,
    lostScores: entry.lost_scores,
    verifies,
  };
}

function toEntry(exported: ExportedResult): ResultEntry {
  const result = only(resultFields, exported.result);
  return {
    ...only(entryFields, exported),
    result: { ...result, scores: result.scores.map(tidyScore) },
  };
}

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
  ...placeFields,
  state: optional(isText),
  ...executionFields,
  usage: optional(object({ unlisted: optional(named('the usage of calls', isUsage)) })),
  /** Files of older versions have nothing else of the usage. */
  unlisted_cost: optional(isNumber),
  review: optional(named('a review', isExportedReview)),
  repeats: optional(object({ of_older_version: optional(isFlag) })),
  results: listOf(isExportedResult),
});

/** An exported run as its document has it. */
export interface ExportedRun extends Fitting<typeof isExportedRun> {}

/** Checks an exported run JSON. Error: `bad-request` with the place as a JSON pointer. */
export function parseExportedRun(document: unknown): ExportedRun {
  if (isExportedRun(document)) {
    refuseOtherCounts(document);
    return document;
  }
  const fault = faultOf(document, isExportedRun);
  const where = fault.at === '' ? 'The document' : fault.at;
  throw new AssayError('bad-request', `Not an exported run: ${where} ${faultText(fault)}.`);
}

/** A document that lacks results, or has some twice, would be judged as if it were the run. */
function refuseOtherCounts(run: ExportedRun): void {
  const { total_evaluations: total } = run as { readonly [key: string]: unknown };
  const { length } = run.results;
  if (isCount(total) && total !== length) {
    const said = countOf(total, 'result');
    throw new AssayError('bad-request', `Not an exported run: it says ${said} and has ${length}.`);
  }
  const seen = new Map<string, number>();
  for (const [at, { id }] of run.results.entries()) {
    const first = seen.get(id);
    if (first !== undefined) {
      const message = `Not an exported run: /results/${at} has the id of /results/${first}, ${quotedName(id)}.`;
      throw new AssayError('bad-request', message);
    }
    seen.set(id, at);
  }
}

/** True for results that may have been chosen by what came of them. */
function hasCountsOnly(run: ExportedRun): boolean {
  const { summary } = run as { readonly summary?: unknown };
  return isObject(summary) && summary.counts_only === true;
}

/** Error: `bad-request` for results of which nothing can be said but their number. */
export function refuseCountsOnly(run: ExportedRun): void {
  if (hasCountsOnly(run)) throw withoutRates('The file');
}

/** What is said of such results. */
export function withoutRates(name: string): AssayError {
  return new AssayError(
    'bad-request',
    `${name} has counts and no rates: its results may have been chosen by what came of them.`,
    {
      hints: [
        'Export the whole run, or choose by what was planned: id, dataset, label, input, reference or metadata.',
      ],
    },
  );
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
