import { packCalls } from '../../model/calls/stored-calls.js';
import { type KeptName, type KeptValues, keptNames, mergeKept } from '../../model/kept-values.js';
import { asCounted, caseIdOf, identityOf, type ResultEntry } from '../../model/result.js';
import { type RunPlace, runPlaceOf } from '../../model/run.js';
import { rulesOfScores } from '../../model/scores/score-rule.js';
import { createWholeRun, type NewRun } from '../create-run.js';
import { deleteRunFolder } from '../delete-run.js';
import { findRunFolder } from '../folders.js';
import { runIdPattern } from '../names.js';
import type { ImportedRow, PlannedRow, RunOwner } from '../run-owner.js';
import {
  type ExportedResult,
  type ExportedRun,
  newnessOf,
  parseExportedRun,
  passesOf,
  refuseCountsOnly,
  unlistedOf,
} from './read-exported-run.js';

/** Result of an import. */
export interface ImportedRun {
  readonly run_id: string;
  readonly run_name: string;
  readonly session_name: string;
}

// Rows are written in batches, so that a large run is not one huge string.
const batchSize = 500;

/**
 * Brings an exported run JSON into the store, with a fresh id when its own is taken or none of ours. Results,
 * annotations and correction histories read back exactly as exported; a result that was running is pending.
 * Errors: `bad-request` that names the place in the document, or for results without rates, `storage-full`, `storage-unusable`.
 */
export async function importRunDocument(
  root: string,
  document: unknown,
  session: string | undefined,
): Promise<ImportedRun> {
  const run = parseExportedRun(document);
  refuseCountsOnly(run);
  const { started_at = run.created_at } = run;
  const keepsId = runIdPattern.test(run.run_id) && findRunFolder(root, run.run_id) === undefined;
  const made: NewRun = {
    session_name: session ?? run.session_name,
    run_name: run.run_name,
    path: run.path,
    config_name: run.config_name,
    ...placeOf(run),
    // The document has nothing else about the selection.
    selection: run.path === '.' ? {} : { paths: run.path.split(' ') },
    created_at_ms: Math.round(run.created_at * 1000),
    ...(started_at === run.created_at ? {} : { started_at_ms: Math.round(started_at * 1000) }),
    ...(keepsId ? { run_id: run.run_id } : {}),
  };
  const { run_id, run_name, session_name } = await createWholeRun(root, made, (owner) => {
    write(owner, run);
  });
  return { run_id, run_name, session_name };
}

/** Some results of a run are no shard and no variant of others; all of them are the run. */
function placeOf(run: ExportedRun): RunPlace {
  const { part_of, results } = run;
  if (part_of === undefined) return runPlaceOf(run);
  return part_of > results.length ? { part_of } : {};
}

/** Brings several runs into the store, or none of them. Errors: those of {@link importRunDocument}. */
export async function importRunDocuments(
  root: string,
  documents: readonly unknown[],
  session: string | undefined,
): Promise<readonly ImportedRun[]> {
  documents.forEach(parseExportedRun);
  const imported: ImportedRun[] = [];
  try {
    for (const document of documents) {
      imported.push(await importRunDocument(root, document, session));
    }
  } catch (error) {
    for (const { run_id } of imported) {
      const folder = findRunFolder(root, run_id);
      if (folder !== undefined) await deleteRunFolder(folder, run_id);
    }
    throw error;
  }
  return imported;
}

function write(owner: RunOwner, run: ExportedRun): void {
  const { results, updated_at = run.created_at } = run;
  // The run last changed when it did where it comes from.
  const at = new Date(Math.round(updated_at * 1000)).toISOString();
  for (let first = 0; first < results.length; first += batchSize) {
    const batch = results.slice(first, first + batchSize);
    owner.plan(batch.map((result, position) => toPlan(result, first + position)));
  }
  const started = [...results.keys()].filter(
    (index) => results[index]?.result.status !== 'not_started',
  );
  const { prices, waited, max_cost, commit, dirty, outcome } = run;
  if (started.length > 0 || run.state === 'finished') {
    owner.schedule({
      kind: 'run',
      rows: started,
      at,
      maxCost: max_cost,
      paramsInEffect: run.params,
      passes: passesOf(run),
      hasOldRepeats: run.repeats?.of_older_version === true,
    });
  }
  const rows = results.map((entry, index) => ({ index, entry }));
  // The last lines of a log are the newest.
  const ranks = newnessOf(run);
  const newness = ({ entry }: (typeof rows)[number]) => ranks.get(entry.result.code ?? '') ?? 0;
  if (ranks.size > 0) rows.sort((a, b) => newness(a) - newness(b));
  for (let first = 0; first < rows.length; first += batchSize) {
    const batch = rows.slice(first, first + batchSize);
    const imported = batch.flatMap(({ entry, index }) => importedRows(entry, index));
    owner.restore(imported.map((row) => ({ ...row, at })));
  }
  if (run.review !== undefined) owner.restoreReview(run.review);
  const ended = { prices, waited, commit, dirty, unlisted: unlistedOf(run) };
  owner.end({ outcome: 'finished', ...ended, budget: outcome && { refused: [] } });
}

const metadataName = ['metadata'] as const;

function toPlan(entry: ExportedResult, index: number): PlannedRow {
  const { input, reference, metadata: last, authored_metadata: metadata = last } = entry.result;
  const { scores } = entry.result;
  return {
    index,
    ...identityOf(entry),
    evaluation: toEvaluation(entry),
    ...{ input, reference, metadata },
    score_rules: rulesOfScores(scores),
    kept: keptOf(entry, ['input', 'reference', ...(metadata === last ? metadataName : [])]),
  };
}

/**
 * The evaluation a result belongs to. An export does not say it, so here, and only here, it is taken from the id: all
 * that comes before the case.
 */
function toEvaluation(result: ExportedResult): string {
  const id = caseIdOf(result);
  const name = result.function;
  const bracket = caseStart(name);
  if (bracket <= 0 || !id.endsWith(name)) return id;
  return id.slice(0, id.length - name.length + bracket);
}

/** The `[` of the case at the end of a function: the one that its `]` closes, else the first. The name may have brackets, too. */
function caseStart(name: string): number {
  let depth = 0;
  for (let at = name.length - 1; at >= 0; at--) {
    if (name[at] === ']') depth++;
    else if (name[at] === '[' && --depth === 0) return at;
  }
  return name.indexOf('[');
}

/** The attempt that counts comes before one that repeats it. */
function importedRows(entry: ExportedResult, index: number): ImportedRow[] {
  const { origin, reason, verifies, usage, replaced_usage, calls, spans } = entry.result;
  const newest = {
    ...toImported(entry, index),
    ...{ origin, reason, verifies, usage, replaced_usage },
    calls: calls && packCalls({ calls, ...(spans && { spans }) }),
  };
  const { counted } = entry;
  if (counted === undefined) return [newest];
  const isRegradable = entry.regradable && counted.status === 'completed';
  const first = { ...asCounted(entry), regradable: counted.regradable ?? isRegradable };
  return [
    { ...toImported(first, index), reason },
    { ...newest, repeat: true },
  ];
}

function toImported(entry: ResultEntry, index: number): ImportedRow {
  const { status, output, scores, error, latency, started_at, trace_data } = entry.result;
  const { code, annotation, correction_history } = entry.result;
  const { regradable, inexact, inexact_because: why = 'the file does not say why' } = entry;
  const { former_grade, lost_scores, other_code, pruned, gone } = entry;
  const { metadata, authored_metadata: authored } = entry.result;
  return {
    index,
    status: status === 'running' ? 'pending' : status,
    ...{ output, scores, error, latency, started_at, trace_data, regradable },
    ...(authored && { metadata }),
    kept: keptOf(entry, ['output', 'trace_data', ...(authored ? metadataName : [])]),
    inexact: inexact === true ? why : undefined,
    ...{
      former_grade,
      lost_scores,
      other_code,
      pruned,
      gone,
      code,
      annotation,
      correction_history,
    },
  };
}

/** What is kept of some of its values; the others belong to another line. */
function keptOf({ kept }: ResultEntry, names: readonly KeptName[]): KeptValues | undefined {
  const others = keptNames.filter((name) => !names.includes(name));
  return mergeKept(kept, undefined, others);
}
