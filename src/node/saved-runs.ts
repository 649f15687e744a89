import { extname, resolve } from 'node:path';
import type { ComparisonJson } from '../cli/compare/compare-json.js';
import { choosePart, shownOf } from '../cli/export/chosen-part.js';
import type { RecordedEvaluation } from '../cli/recordings/recordings-table.js';
import type { FailOn } from '../cli/run/gate-flags.js';
import { AssayError } from '../errors.js';
import { type ExportFormat, findExporter, formatOfFile } from '../exporters/index.js';
import { type Redacted, redactable } from '../exporters/redact.js';
import type { SavedImport } from '../importers/import-file.js';
import type { Trace } from '../model/calls/model-call.js';
import type { GateVerdict } from '../model/gates/gate-verdict.js';
import type { ResultEntry } from '../model/result.js';
import type { RunHead, RunJson, RunSummary } from '../model/run.js';
import { findStoredRun, openReference } from '../store/listing/resolve-reference.js';
import { toRunSummary } from '../store/listing/run-json.js';
import { readRun } from './execution.js';
import {
  checkOptions,
  checkWords,
  openProject,
  type ProjectOptions,
  type RunReferenceOptions,
  referenceOptionNames,
} from './project.js';
import { type SelectionOptions, selectionOptionNames } from './selection.js';

/** A run of a listing. */
export interface ListedRunJson extends RunSummary {
  readonly session_name: string;
}

/**
 * The saved runs, newest first, as `assay sessions list` reads them. Runs that cannot be read are left out.
 * @throws {AssayError} `storage-unusable`
 */
export async function listRuns(
  options: RunReferenceOptions = {},
): Promise<readonly ListedRunJson[]> {
  checkOptions('listRuns', options, referenceOptionNames);
  const { store } = await openProject(options);
  const runs = await store.listRuns(options.session);
  return runs.map((run) => ({ ...toRunSummary(run), session_name: run.session_name }));
}

/** A run that is read. Nothing of its results is in memory before it is asked for. */
export interface OpenRun {
  /** Everything of the run JSON but the results. */
  readonly head: RunHead;
  /** Sentences about files that could not be read whole. */
  readonly problems: readonly string[];
  /** The results in their order, one at a time. */
  results(): AsyncIterable<ResultEntry>;
  /** The calls and spans of the result at a position, from 0. */
  trace(index: number): Trace;
  /** The whole run JSON. */
  json(): Promise<RunJson>;
  close(): Promise<void>;
}

/**
 * Opens a run by what a command would take: an id, its beginning, a name, `latest`, `previous`, a run folder, an exported run JSON.
 * @throws {AssayError} `no-such-run`, `ambiguous-run`, `unreadable-run`, `bad-request` for a file that is no run
 */
export async function openRun(
  reference: string,
  options: RunReferenceOptions = {},
): Promise<OpenRun> {
  checkOptions('openRun', options, referenceOptionNames);
  const { store, cwd } = await openProject(options);
  const { run, problems, close } = await openReference(store, reference, {
    ...{ cwd, session: options.session },
  });
  return {
    ...{ head: run.head, problems, close },
    results: async function* () {
      for await (const { entry } of run.entries()) yield entry;
    },
    trace: (index) => run.trace(index),
    json: () => readRun(run),
  };
}

export interface ExportRunOptions extends RunReferenceOptions {
  /** Default: by the ending of the file. */
  readonly format?: ExportFormat | 'html';
  /** Columns of a CSV or Markdown table. Default: those of the command. */
  readonly columns?: readonly string[];
  /** CSV: leave text as it is that looks like a formula. Default false. */
  readonly raw?: boolean;
  /** JSON, OTLP: with the texts of HTTP calls. Default false. */
  readonly calls?: boolean;
  /** Leaves these values of results out; with any of them, also calls, trace data and what a regrade needs. */
  readonly redact?: readonly Redacted[];
}

/**
 * Writes a run to a file, as `assay export -o` does; resolves to the size in bytes. A file that exists is replaced at once.
 * @throws {AssayError} those of {@link openRun}; `usage` for an unknown ending; `storage-full`, `storage-unusable`
 */
export async function exportRun(
  reference: string,
  file: string,
  options: ExportRunOptions = {},
): Promise<number> {
  const { columns, raw = false, calls = false, redact, session, ...more } = options;
  const own = ['format', 'columns', 'raw', 'calls', 'redact'];
  checkOptions('exportRun', options, [...referenceOptionNames, ...own]);
  checkWords('redact', redact, redactable);
  if (redact !== undefined && calls) {
    throw new AssayError('usage', 'exportRun() takes calls or redact: redact leaves calls out.');
  }
  const { store, cwd } = await openProject(more);
  const path = resolve(cwd, file);
  const { writeToFile } = await import('../cli/output-file.js');
  const format = options.format ?? (/^\.html?$/i.test(extname(path)) ? 'html' : formatOfFile(path));
  if (format === 'html') {
    const { renderReport } = await import('../exporters/report.js');
    const run = await store.openRun(await findStoredRun(store, reference, { cwd, session }));
    try {
      const part = await choosePart([run], { redact });
      const page = { run: run.runId, page: `/?run=${run.runId}` };
      try {
        return await writeToFile(path, renderReport(part.runs, page));
      } finally {
        await part.close();
      }
    } finally {
      await run.close();
    }
  }
  const { render } = findExporter(format);
  const opened = await openReference(store, reference, { cwd, session });
  try {
    return await writeToFile(path, render(shownOf(opened.run, redact), { columns, raw, calls }));
  } finally {
    await opened.close();
  }
}

/**
 * Saves an exported run JSON, or the results of another tool, as `assay sessions import` does; resolves to the runs, of which
 * a file of another tool may have several. `exported`: the path of a file, or a run JSON. `session`: where they are saved;
 * default: their own.
 * @throws {AssayError} `bad-request` for what is no run; `storage-full`, `storage-unusable`
 */
export async function importRun(
  exported: string | RunJson,
  options: RunReferenceOptions = {},
): Promise<readonly SavedImport[]> {
  checkOptions('importRun', options, referenceOptionNames);
  const { store, cwd } = await openProject(options);
  const { session } = options;
  const where = session === undefined ? {} : { session };
  const { importDocument, importFile } = await import('../importers/import-file.js');
  if (typeof exported !== 'string') return [await importDocument(store, exported, where)];
  const { runs } = await importFile(store, resolve(cwd, exported), where);
  return runs;
}

/**
 * Writes a run to a baseline file, as `assay sessions bless` does; resolves to the number of its cases.
 * @throws {AssayError} those of {@link openRun}; `usage` for a run that has not finished, unless it is forced
 */
export async function blessRun(
  reference: string,
  file: string,
  options: RunReferenceOptions & {
    /** Also a run that has not finished. Default false. */
    readonly force?: boolean;
  } = {},
): Promise<number> {
  checkOptions('blessRun', options, [...referenceOptionNames, 'force']);
  const { store, cwd } = await openProject(options);
  const { openForComparison } = await import('../compare/open-for-comparison.js');
  const { blessRun: bless } = await import('../cli/compare/bless-run.js');
  const run = await openForComparison(store, reference, { cwd, session: options.session });
  try {
    return await bless(run, resolve(cwd, file), { force: options.force === true });
  } finally {
    await run.close();
  }
}

/**
 * Compares runs, or baseline files, with the first of them, as `assay sessions compare --json` does.
 * @throws {AssayError} those of {@link openRun}; `usage` for fewer than 2 and more than 12
 */
export async function compareRuns(
  references: readonly string[],
  options: RunReferenceOptions & {
    /** Compare without the results that are errors. Default false. */
    readonly ignoreErrors?: boolean;
    /** At most so many cases of each run in `rows`. Default 10. */
    readonly limit?: number;
  } = {},
): Promise<ComparisonJson> {
  checkOptions('compareRuns', options, [...referenceOptionNames, 'ignoreErrors', 'limit']);
  const { store, cwd } = await openProject(options);
  const { mostVariants } = await import('../model/option-ranges.js');
  if (references.length < 2 || references.length > mostVariants) {
    const message = `2 to ${mostVariants} runs can be compared, not ${references.length}.`;
    throw new AssayError('usage', message);
  }
  const { compareToJson } = await import('../cli/compare/compare-to-json.js');
  const { session, ignoreErrors = false, limit = 10 } = options;
  return compareToJson(store, references, { cwd, session, ignoreErrors, limit });
}

export interface GateOptions extends RunReferenceOptions, SelectionOptions {
  /** Such as `0.8`, `80%`, `exact=0.9`. */
  readonly failUnder?: string | readonly string[];
  /** Such as `cost=2`, `latency.p95=10`. */
  readonly failOver?: string | readonly string[];
  /** Such as `errors`, `regression`. */
  readonly failOn?: FailOn | readonly FailOn[];
  /** A run or a baseline file to compare with. */
  readonly baseline?: string;
  /** Leave errors out of the comparison, and of the scores of `failUnder`. Default false. */
  readonly ignoreErrors?: boolean;
  /** A calibration file: scores are judged by the rate that people would pass. */
  readonly corrected?: string;
}

/** The verdicts of gates. */
export interface JudgedRun {
  readonly run_id: string;
  readonly run_name: string;
  readonly verdicts: readonly GateVerdict[];
  /** 0; 1 when a gate fails; 2 when one cannot be judged. */
  readonly exit_code: number;
}

const gateNames = ['failUnder', 'failOver', 'failOn', 'baseline', 'ignoreErrors', 'corrected'];

/**
 * Judges a saved run, or some of its results, as `assay sessions gate` does.
 * @throws {AssayError} those of {@link openRun}; `usage` without a gate, or for one that is not understood
 */
export async function judgeGates(reference: string, options: GateOptions): Promise<JudgedRun> {
  checkOptions('judgeGates', options, [
    ...referenceOptionNames,
    ...selectionOptionNames,
    ...gateNames,
  ]);
  const { store, settings, cwd } = await openProject(options);
  const { judgeSavedRun } = await import('../cli/sessions/gate-run.js');
  const { failOnKinds } = await import('../cli/run/gate-flags.js');
  const { paths = [], datasets = [], labels = [], where, sample, corrected } = options;
  const flags = {
    ...{ dataset: [datasets], label: [labels], where, sample: sample?.size, seed: sample?.seed },
    'fail-under': [options.failUnder ?? []].flat(),
    'fail-over': [options.failOver ?? []].flat(),
    'fail-on': [...checkWords('failOn', options.failOn, failOnKinds)],
    baseline: options.baseline,
    'ignore-errors': options.ignoreErrors === true,
    corrected: corrected === undefined ? undefined : resolve(cwd, corrected),
    session: options.session,
    ...{ bless: undefined, comment: undefined, reporter: undefined, json: true },
  };
  return judgeSavedRun({
    ...{ reference, flags, settings, store, cwd, json: true },
    paths: typeof paths === 'string' ? [paths] : paths,
    note: () => undefined,
  });
}

/**
 * The recorded calls by evaluation, as `assay recordings --json` lists them.
 * @throws {AssayError} `bad-settings`
 */
export async function recordings(
  options: ProjectOptions = {},
): Promise<{ readonly folder: string; readonly evaluations: readonly RecordedEvaluation[] }> {
  checkOptions('recordings', options, ['cwd', 'resultsDir', 'settings']);
  const { store, settings } = await openProject(options);
  const { listRecordings } = await import('../cli/recordings/list-recordings.js');
  const { folder, evaluations } = await listRecordings(store, settings);
  return { folder, evaluations };
}
