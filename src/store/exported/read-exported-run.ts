import { constants } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { AssayError, hasSystemCode } from '../../errors.js';
import { isCount, isObject } from '../../model/json.js';
import type { ReadableRun } from '../../model/readable-run.js';
import {
  type CountedAttempt,
  caseIdOf,
  identityOf,
  type ResultEntry,
  type RowFacts,
  storedAs,
} from '../../model/result.js';
import { executionFacts, type RunHead, type RunState, runStates } from '../../model/run.js';
import { countedSummary } from '../../model/summary/counted-summary.js';
import { countsOf, countsOfSummary } from '../../model/summary/counts-only.js';
import { headFigures, summarise } from '../../model/summary/summary.js';
import { isNestedDeeper, mostJsonLevels } from '../../text/json-depth.js';
import { findJsonFault } from '../../text/json-position.js';
import { nameText } from '../../text/name-text.js';
import { positionAt } from '../../text/text-position.js';
import { tidyScore } from '../log/stored-score.js';
import { type ExportedResult, type ExportedRun, parseExportedRun } from './parse-exported-run.js';

/**
 * Reads a JSON file. `name`: of the file in errors; `what`: the expected content. Error: `unreadable-run` with the line
 * and column of a syntax error.
 */
export async function readRunDocument(
  path: string,
  name: string,
  what = 'exported run JSON',
): Promise<unknown> {
  const text = await readText(path, name, what);
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

async function readText(path: string, name: string, what: string): Promise<string> {
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
  const { results, newness } = run;
  const rows = results.map((result) => toFacts(result, newness));
  const summary = summarise(rows, undefined, run);
  return {
    head: toHead(run, rows, summary, isObject(document) ? document : {}),
    scoreChips: summary.score_chips,
    rows,
    async *entries(indices) {
      for (const index of indices ?? results.keys()) {
        const result = results[index];
        if (result !== undefined) yield { index, entry: toEntry(result) };
      }
    },
    trace: (index) => results[index]?.trace ?? { calls: [] },
  };
}

function toHead(
  run: ExportedRun,
  rows: readonly RowFacts[],
  summary: ReturnType<typeof summarise>,
  document: { readonly [key: string]: unknown },
): RunHead {
  const { run_id, session_name, run_name, created_at, started_at, updated_at } = run;
  const { total_functions, state, summary: given } = document;
  const counted = countedSummary(rows, summary, { passes: run.passes });
  const countsOnly = isObject(given) && given.counts_only === true;
  return {
    run_id,
    session_name,
    run_name,
    created_at,
    started_at,
    updated_at,
    path: run.path,
    config_name: run.config_name,
    ...(run.shard && { shard: run.shard }),
    ...(run.part_of !== undefined && { part_of: run.part_of }),
    ...headFigures(countsOnly ? countsOfSummary(summary) : summary),
    summary: countsOnly ? countsOf(counted) : counted,
    // A result does not contain its evaluation.
    ...(isCount(total_functions) && total_functions <= run.results.length
      ? { total_functions }
      : {}),
    ...executionFacts(run),
    state: isState(state) ? state : 'finished',
  };
}

function isState(value: unknown): value is RunState {
  return runStates.some((state) => state === value);
}

function toFacts(
  { counted, ...result }: ExportedResult,
  newness: ExportedRun['newness'],
): RowFacts {
  const { status, latency, scores, code, pruned, usage, origin, replaced_usage } = result;
  return {
    ...identityOf(result),
    evaluation: caseIdOf(result),
    status,
    latency,
    scores,
    ...(code === undefined ? {} : { code, finished: newness.get(code) }),
    pruned,
    ...(result.other_code === true && { otherCode: true }),
    ...(result.former_grade === true && { hasFormerGrade: true }),
    ...(usage === undefined ? {} : { usage }),
    ...(replaced_usage === undefined ? {} : { replaced_usage }),
    ...(origin === undefined ? {} : { origin }),
    ...(result.verifies && { verifies: true }),
    ...(counted && { counted: toCounted(withAttempt(result, counted), newness) }),
    ...(counted && startedAt(result)),
  };
}

function toCounted(attempt: ExportedResult, newness: ExportedRun['newness']): RowFacts {
  return { ...toFacts(attempt, newness), ...startedAt(attempt) };
}

/** Tells a repeat from another grade of the attempt that counts. */
function startedAt({ started_at }: ExportedResult): Pick<RowFacts, 'startedAt'> {
  return { startedAt: started_at === undefined ? undefined : Date.parse(started_at) };
}

function withAttempt(
  { usage: _, started_at: __, ...result }: ExportedResult,
  counted: CountedAttempt,
): ExportedResult {
  return { ...result, ...counted, regradable: counted.regradable ?? result.regradable };
}

function toEntry(result: ExportedResult): ResultEntry {
  return {
    ...identityOf(result),
    ...(result.regradable ? { regradable: true } : {}),
    ...storedAs(result),
    ...(result.former_grade === true && { former_grade: true }),
    ...(result.pruned ? { pruned: true } : {}),
    ...(result.counted && { counted: result.counted }),
    result: {
      input: result.input,
      output: result.output,
      reference: result.reference,
      scores: result.scores.map(tidyScore),
      error: result.error,
      latency: result.latency,
      ...(result.started_at === undefined ? {} : { started_at: result.started_at }),
      metadata: result.metadata,
      trace_data: result.trace_data,
      status: result.status,
      annotation: result.annotation,
      correction_history: result.correction_history,
      ...(result.code === undefined ? {} : { code: result.code }),
      ...(result.usage === undefined ? {} : { usage: result.usage }),
      ...(result.replaced_usage && { replaced_usage: result.replaced_usage }),
      ...(result.origin === undefined ? {} : { origin: result.origin }),
    },
  };
}
