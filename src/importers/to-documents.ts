import { createHash } from 'node:crypto';
import { AssayError } from '../errors.js';
import { unrecordedUsage } from '../model/calls/usage.js';
import { identityOf, isFinished, passes } from '../model/result.js';
import type { ExportedResult, ExportedRun } from '../store/exported/read-exported-run.js';
import type { ForeignResult, ForeignResults, ForeignRun } from './foreign-run.js';

/** The runs of another tool as exported runs. Error: `bad-request` without results. */
export function toDocuments(foreign: ForeignResults): readonly ExportedRun[] {
  const runs = foreign.runs.filter(({ results }) => results.length > 0);
  if (runs.length === 0) {
    const note = foreign.note === undefined ? '' : ` ${foreign.note}`;
    throw new AssayError('bad-request', `It has no results of ${foreign.tool}.${note}`);
  }
  const ids = idsOf(runs);
  const group = foreign.isGroup ? { group: cleanName(foreign.name), group_runs: ids } : {};
  return runs.map((run, at) => ({ ...toDocument(run, ids[at] ?? ''), ...group }));
}

/** Ids that follow from what the runs are: who imports a file again, or a longer one, gets no run a second time. */
function idsOf(runs: readonly ForeignRun[]): readonly string[] {
  const used = new Set<string>();
  return runs.map(({ results, ...head }) => {
    for (let number = 0; ; number++) {
      const hash = createHash('sha256').update(JSON.stringify([head, number]));
      for (const result of results) hash.update(JSON.stringify(result));
      const id = hash.digest('hex').slice(0, 12);
      if (used.has(id)) continue;
      used.add(id);
      return id;
    }
  });
}

/** Counts of results, as the message of an import says them. */
export function countsOf(documents: readonly ExportedRun[]) {
  const all = documents.flatMap(({ results }) =>
    results.map((entry) => ({ ...identityOf(entry), ...entry.result })),
  );
  const completed = all.filter(({ status }) => status === 'completed');
  const failed = completed.filter(({ scores }) => scores.some((s) => s.passed === false));
  return {
    total: all.length,
    passed: all.filter(passes).length,
    failed: failed.length,
    errors: all.filter(({ status }) => status === 'error').length,
  };
}

function toDocument(run: ForeignRun, run_id: string): ExportedRun {
  const created_at = Math.max(0, run.startedAt ?? Date.now()) / 1000;
  return {
    run_id,
    session_name: cleanName(run.session ?? 'default'),
    run_name: cleanName(run.name),
    created_at,
    path: '.',
    config_name: 'default',
    state: 'finished',
    ...(run.params && { params: run.params }),
    results: toEntries(run.results),
  };
}

function toEntries(results: readonly ForeignResult[]): readonly ExportedResult[] {
  const counts = new Map<string, number>();
  for (const result of results) {
    const id = idOf(result);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const seen = new Map<string, number>();
  return results.map((result) => {
    const id = idOf(result);
    const trial = (seen.get(id) ?? 0) + 1;
    seen.set(id, trial);
    const isTrial = (counts.get(id) ?? 1) > 1;
    return {
      id: isTrial ? `${id}~${trial}` : id,
      function: functionOf(result),
      dataset: result.dataset,
      labels: [...(result.labels ?? [])],
      ...(isTrial && { trial, trial_of: id }),
      result: toResult(result),
    };
  });
}

function functionOf({ evaluation, case: name }: ForeignResult): string {
  return name === undefined ? evaluation : `${evaluation}[${name}]`;
}

function idOf(result: ForeignResult): string {
  return `${result.file}::${functionOf(result)}`;
}

function toResult(result: ForeignResult): ExportedResult['result'] {
  const { input, output, reference, scores, error, latency, metadata, startedAt } = result;
  const status = result.status ?? (error === null ? 'completed' : 'error');
  const usage = result.usage ?? (isFinished({ status }) ? unrecordedUsage : undefined);
  return {
    ...{ input, output, reference, scores, error, metadata },
    latency: latency !== null && latency >= 0 ? latency : null,
    trace_data: result.trace_data ?? {},
    status,
    annotation: result.annotation ?? '',
    correction_history: [],
    ...(startedAt !== undefined && { started_at: new Date(startedAt).toISOString() }),
    ...(usage && { usage }),
  };
}

/** A name that a run or session may have: printable, of 1 to 100 characters. */
function cleanName(name: string): string {
  const printable = name.replace(/[\p{C}\u2028\u2029\p{Bidi_Control}]+/gu, ' ').trim();
  const cut = [...printable].slice(0, 100).join('').trim();
  return cut === '' || /^\.{1,2}$/.test(cut) ? 'imported' : cut;
}
