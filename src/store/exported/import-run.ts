import { packCalls } from '../../model/calls/stored-calls.js';
import { type KeptName, type KeptValues, keptNames, mergeKept } from '../../model/kept-values.js';
import { caseIdOf, type StoredAs } from '../../model/result.js';
import { rulesOfScores } from '../../model/scores/score-rule.js';
import { createWholeRun, type NewRun } from '../create-run.js';
import { findRunFolder } from '../folders.js';
import { runIdPattern } from '../names.js';
import type { ImportedRow, PlannedRow, RunOwner } from '../run-owner.js';
import { type ExportedResult, type ExportedRun, parseExportedRun } from './parse-exported-run.js';

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
 * Errors: `bad-request` that names the place in the document, `storage-full`, `storage-unusable`.
 */
export async function importRunDocument(
  root: string,
  document: unknown,
  session: string | undefined,
): Promise<ImportedRun> {
  const run = parseExportedRun(document);
  const keepsId = runIdPattern.test(run.run_id) && findRunFolder(root, run.run_id) === undefined;
  const made: NewRun = {
    session_name: session ?? run.session_name,
    run_name: run.run_name,
    path: run.path,
    config_name: run.config_name,
    // Some of its results are no part that could be merged.
    ...(run.part_of === undefined ? { shard: run.shard } : {}),
    // The document has nothing else about the selection.
    selection: run.path === '.' ? {} : { paths: run.path.split(' ') },
    created_at_ms: Math.round(run.created_at * 1000),
    ...(run.started_at === run.created_at
      ? {}
      : { started_at_ms: Math.round(run.started_at * 1000) }),
    ...(keepsId ? { run_id: run.run_id } : {}),
  };
  const { run_id, run_name, session_name } = await createWholeRun(root, made, (owner) => {
    write(owner, run);
  });
  return { run_id, run_name, session_name };
}

function write(owner: RunOwner, run: ExportedRun): void {
  // The run last changed when it did where it comes from.
  const at = new Date(Math.round(run.updated_at * 1000)).toISOString();
  for (let first = 0; first < run.results.length; first += batchSize) {
    const batch = run.results.slice(first, first + batchSize);
    owner.plan(batch.map((result, position) => toPlan(result, first + position)));
  }
  const started = [...run.results.keys()].filter(
    (index) => run.results[index]?.status !== 'not_started',
  );
  const { prices, waited, max_cost, commit, dirty, unlisted, outcome } = run;
  if (started.length > 0 || run.ended) {
    owner.schedule({
      kind: 'run',
      rows: started,
      at,
      maxCost: max_cost,
      passes: run.passes,
      hasOldRepeats: run.hasOldRepeats,
    });
  }
  const rows = run.results.map((result, index) => ({ index, result }));
  // The last lines of a log are the newest.
  const newness = ({ result }: (typeof rows)[number]) => run.newness.get(result.code ?? '') ?? 0;
  if (run.newness.size > 0) rows.sort((a, b) => newness(a) - newness(b));
  for (let first = 0; first < rows.length; first += batchSize) {
    const batch = rows.slice(first, first + batchSize);
    const imported = batch.flatMap(({ result, index }) => importedRows(result, index));
    owner.restore(imported.map((row) => ({ ...row, at })));
  }
  const ended = { outcome: 'finished', prices, waited, commit, dirty, unlisted } as const;
  owner.end({ ...ended, budget: outcome && { refused: [] } });
}

function toPlan(result: ExportedResult, index: number): PlannedRow {
  const rules = rulesOfScores(result.scores);
  return {
    index,
    id: result.id,
    evaluation: toEvaluation(result),
    function: result.function,
    dataset: result.dataset,
    labels: result.labels,
    ...(result.trial === undefined ? {} : { trial: result.trial }),
    ...(result.trial_of === undefined ? {} : { trial_of: result.trial_of }),
    ...(result.cluster === undefined ? {} : { cluster: result.cluster }),
    input: result.input,
    reference: result.reference,
    metadata: result.metadata,
    ...(rules && { score_rules: rules }),
    kept: keptOf(result, ['input', 'reference', 'metadata']),
  };
}

/**
 * The evaluation a result belongs to. An export does not say it, so here, and only here, it is taken from the id: all
 * that comes before the case, which begins at the `[` of the function.
 */
function toEvaluation(result: ExportedResult): string {
  const id = caseIdOf(result);
  const name = result.function;
  const bracket = name.indexOf('[');
  if (bracket <= 0 || !id.endsWith(name)) return id;
  return id.slice(0, id.length - name.length + bracket);
}

/** The attempt that counts comes before one that repeats it. */
function importedRows({ counted, ...result }: ExportedResult, index: number): ImportedRow[] {
  const newest = toImported(result, index);
  if (counted === undefined) return [newest];
  const {
    trace: _,
    usage: __,
    origin: ___,
    replaced_usage: ____,
    verifies: _____,
    ...plain
  } = result;
  const regradable = counted.regradable ?? (plain.regradable && counted.status === 'completed');
  const history = { correction_history: counted.correction_history ?? [] };
  const first = toImported({ ...plain, ...counted, ...history, regradable }, index, counted);
  return [first, { ...newest, repeat: true }];
}

/** What is kept of some of its values; the others belong to another line. */
function keptOf({ kept }: StoredAs, names: readonly KeptName[]): KeptValues | undefined {
  const others = keptNames.filter((name) => !names.includes(name));
  return mergeKept(kept, undefined, others);
}

function inexactOf({ inexact, inexact_because: why }: StoredAs): string | undefined {
  return inexact === true ? (why ?? 'the file does not say why') : undefined;
}

/** `stored`: the attempt whose values it has. */
function toImported(result: ExportedResult, index: number, stored: StoredAs = result): ImportedRow {
  const { status, output, scores, error, latency, trace_data, annotation } = result;
  return {
    index,
    status: status === 'running' ? 'pending' : status,
    output,
    scores,
    error,
    latency,
    ...(result.started_at === undefined ? {} : { started_at: result.started_at }),
    trace_data,
    ...(result.regradable ? { regradable: true } : {}),
    kept: keptOf(stored, ['output', 'trace_data']),
    inexact: inexactOf(stored),
    ...(result.former_grade === true ? { former_grade: true } : {}),
    ...(stored.lost_scores && { lost_scores: stored.lost_scores }),
    ...(stored.other_code === true && { other_code: true }),
    ...(result.pruned ? { pruned: true } : {}),
    ...(result.code === undefined ? {} : { code: result.code }),
    ...(result.origin === undefined ? {} : { origin: result.origin }),
    ...(result.reason === undefined ? {} : { reason: result.reason }),
    ...(result.verifies === true ? { verifies: true } : {}),
    ...(result.usage === undefined ? {} : { usage: result.usage }),
    ...(result.replaced_usage && { replaced_usage: result.replaced_usage }),
    ...(result.trace === undefined ? {} : { calls: packCalls(result.trace) }),
    annotation,
    correction_history: result.correction_history,
  };
}
