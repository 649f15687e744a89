import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';
import { isCount, isNumber, isObject, type Json } from '../model/json.js';
import type { Score } from '../model/scores/score.js';
import { type Fitting, isText, listOf, object } from '../model/shapes.js';
import { countOf } from '../text/count-text.js';
import {
  absent,
  checked,
  type ForeignResult,
  type ForeignResults,
  type ForeignRun,
  targetUsage,
  timeOf,
  withUniqueKeys,
} from './foreign-run.js';

const tool = 'evalite';

const mostBytes = 512 * 1024 ** 2;

/** The tables of evalite 0.19, without what no result has. Columns that are absent are of older versions. */
const tables = {
  runs: listOf(object({ id: isCount, runType: absent(isText), created_at: absent(isText) })),
  evals: listOf(
    object({
      id: isCount,
      run_id: isCount,
      name: isText,
      filepath: isText,
      status: absent(isText),
    }),
  ),
  results: listOf(
    object({
      id: isCount,
      eval_id: isCount,
      duration: absent(isNumber),
      input: absent(isText),
      output: absent(isText),
      expected: absent(isText),
      col_order: isCount,
      status: absent(isText),
      rendered_columns: absent(isText),
      trial_index: absent(isCount),
    }),
  ),
  scores: listOf(
    object({
      result_id: isCount,
      name: isText,
      score: isNumber,
      description: absent(isText),
      metadata: absent(isText),
    }),
  ),
  traces: listOf(
    object({
      result_id: isCount,
      input: absent(isText),
      output: absent(isText),
      start_time: absent(isNumber),
      end_time: absent(isNumber),
      input_tokens: absent(isNumber),
      output_tokens: absent(isNumber),
      // Of versions before the columns had the names above.
      prompt_tokens: absent(isNumber),
      completion_tokens: absent(isNumber),
    }),
  ),
};

/** The rows of a database. */
export type EvaliteTables = { readonly [Name in keyof typeof tables]: unknown };

type Rows = { readonly [Name in keyof typeof tables]: Fitting<(typeof tables)[Name]> };
type Row<Name extends keyof Rows> = Rows[Name][number];

/** Reads the database of evalite. Error: `bad-request`, also where Node cannot read SQLite. */
export async function readEvaliteDatabase(path: string): Promise<ForeignResults> {
  if ((await stat(path)).size > mostBytes) throw unusable('It is larger than 512 MB.');
  const folder = await mkdtemp(join(tmpdir(), 'assay-import-'));
  try {
    // Even who only reads a database makes files beside it, and evalite may be writing.
    const copy = join(folder, 'copy');
    await copyFile(path, copy);
    await copyFile(`${path}-wal`, `${copy}-wal`).catch((error: unknown) => {
      if (!hasSystemCode(error, 'ENOENT')) throw error;
    });
    return toForeign(readTables(copy), basename(path));
  } catch (error) {
    if (!(error instanceof AssayError) || error.cause === undefined) throw error;
    // evalite that ended with an error leaves all it wrote in there.
    const hints = [`If ${basename(path)}-wal was beside it, keep the two together.`];
    throw new AssayError('bad-request', error.message, { hints });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The part of Node's SQLite that is used here; the types are of a Node that has none. */
interface Sqlite {
  readonly DatabaseSync: new (
    path: string,
  ) => {
    readonly prepare: (sql: string) => { readonly all: () => unknown[] };
    readonly close: () => void;
  };
}

function readTables(path: string): EvaliteTables {
  const sqlite = process.getBuiltinModule('node:sqlite') as Sqlite | undefined;
  if (sqlite === undefined) {
    throw unusable(
      `It is an SQLite database, which needs Node 22.13 or newer; this is ${process.version}.`,
    );
  }
  try {
    const database = new sqlite.DatabaseSync(path);
    try {
      const all = (name: string) => database.prepare(`SELECT * FROM ${name} ORDER BY rowid`).all();
      const names = Object.keys(tables) as (keyof Rows)[];
      return Object.fromEntries(names.map((name) => [name, all(name)])) as EvaliteTables;
    } finally {
      database.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw unusable(`It is no database of evalite: ${reason}.`, error);
  }
}

function unusable(message: string, cause?: unknown): AssayError {
  return new AssayError('bad-request', message, { cause });
}

/** The runs of a database, each a run here; the variants of `evalite.each` are evaluations. Error: `bad-request`. */
export function toForeign(found: EvaliteTables, name: string): ForeignResults {
  const rows = checkedRows(found);
  const folder = commonFolder(rows.evals.map(({ filepath }) => filepath));
  const of = {
    evals: byKey(rows.evals, ({ run_id }) => run_id),
    results: byKey(rows.results, ({ eval_id }) => eval_id),
    scores: byKey(rows.scores, ({ result_id }) => result_id),
    traces: byKey(rows.traces, ({ result_id }) => result_id),
  };
  const cases = new Map<string, Map<string, string>>();
  const runs = rows.runs.map((run): ForeignRun => {
    const results = (of.evals.get(run.id) ?? []).flatMap((evaluation) => {
      const id = `${evaluation.filepath}::${evaluation.name}`;
      const names = cases.get(id) ?? new Map<string, string>();
      cases.set(id, names);
      const members = [...(of.results.get(evaluation.id) ?? [])].sort(
        (a, b) => a.col_order - b.col_order,
      );
      const caseOf = caseNamer(names);
      return members.map((row) =>
        toResult(row, {
          file: relative(folder, evaluation.filepath),
          evaluation: evaluation.name,
          case: caseOf(row),
          scores: of.scores.get(row.id) ?? [],
          traces: of.traces.get(row.id) ?? [],
        }),
      );
    });
    const partial = run.runType === 'partial' ? ' (partial)' : '';
    return { name: `run ${run.id}${partial}`, startedAt: utcOf(run.created_at), results };
  });
  const running = rows.evals.filter(({ status }) => status === 'running').length;
  return {
    ...{ tool, name, runs, isGroup: false },
    unplaced: rows.scores.some(({ description }) => description) ? ['scores.description'] : [],
    ...(running > 0 && { note: `${countOf(running, 'evaluation')} had not ended.` }),
  };
}

function checkedRows(found: EvaliteTables): Rows {
  const names = Object.keys(tables) as (keyof Rows)[];
  const check = (name: keyof Rows) => {
    // Rows have no prototype, unlike all that is compared with them.
    const rows = Array.isArray(found[name]) ? found[name].map((row) => ({ ...Object(row) })) : [];
    return checked<unknown>(tool, rows, tables[name] as never, `/${name}`);
  };
  return Object.fromEntries(names.map((name) => [name, check(name)])) as unknown as Rows;
}

function byKey<T>(rows: readonly T[], keyOf: (row: T) => number): ReadonlyMap<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** The folder that all files are in: evalite records absolute paths. */
function commonFolder(files: readonly string[]): string {
  const [first = ''] = files;
  let folder = dirname(first);
  while (
    folder !== dirname(folder) &&
    files.some((file) => relative(folder, file).startsWith('..'))
  )
    folder = dirname(folder);
  return folder;
}

/**
 * The case of each result of an evaluation in one run: results with the same input are its trials, unless evalite did
 * not run them as trials. `names` are those of the runs before.
 */
function caseNamer(names: Map<string, string>): (row: Row<'results'>) => string {
  const seen = new Map<string, number>();
  return ({ input, trial_index }) => {
    const trial = `${trial_index} ${input}`;
    const number = seen.get(trial) ?? 0;
    seen.set(trial, number + 1);
    const key = `${number} ${input}`;
    const name = names.get(key) ?? String(names.size);
    names.set(key, name);
    return name;
  };
}

interface Belongings {
  readonly file: string;
  readonly evaluation: string;
  readonly case: string;
  readonly scores: readonly Row<'scores'>[];
  readonly traces: readonly Row<'traces'>[];
}

function toResult(row: Row<'results'>, { scores, traces, ...belongs }: Belongings): ForeignResult {
  const { id, status, duration } = row;
  const at = `/results id ${id}`;
  const output = parse(row.output, `${at}/output`);
  const columns = parse(row.rendered_columns, `${at}/rendered_columns`);
  const isError = status === 'fail';
  return {
    ...belongs,
    dataset: basename(belongs.file).replace(/\.eval\.[cm]?[jt]sx?$/, ''),
    input: parse(row.input, `${at}/input`),
    output: isError ? null : output,
    reference: parse(row.expected, `${at}/expected`),
    scores: isError ? [] : withUniqueKeys(scores.map(toScore)),
    error: isError ? errorText(output) : null,
    latency: typeof duration === 'number' ? duration / 1000 : null,
    ...(status === 'running' && { status: 'cancelled' }),
    metadata: Array.isArray(columns) && columns.length > 0 ? { columns } : {},
    ...(traces.length > 0 && { trace_data: { traces: traces.map(toTrace) } }),
    usage: usageOf(traces),
  };
}

function parse(text: string | null | undefined, at: string): Json {
  if (typeof text !== 'string') return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw unusable(`Not results of ${tool}: ${at} is not JSON.`);
  }
}

function errorText(thrown: Json): string {
  if (typeof thrown === 'string' && thrown !== '') return thrown;
  if (isObject(thrown) && isText(thrown.message)) {
    return isText(thrown.name) ? `${thrown.name}: ${thrown.message}` : thrown.message;
  }
  return 'The database does not say what the error was.';
}

/** A number from 0 to 1, without a verdict. */
function toScore({ name, score, metadata }: Row<'scores'>): Score {
  const facts = parse(metadata, `/scores ${name}/metadata`);
  const { rationale } = isObject(facts) ? facts : {};
  const notes = isText(rationale) ? rationale : facts === null ? undefined : JSON.stringify(facts);
  return { key: name, value: score, ...(notes && { notes }) };
}

function toTrace({ result_id, input, output, start_time, end_time }: Row<'traces'>): Json {
  const at = `/traces of result ${result_id}`;
  const seconds =
    isNumber(start_time) && isNumber(end_time) ? (end_time - start_time) / 1000 : null;
  return { input: parse(input, `${at}/input`), output: parse(output, `${at}/output`), seconds };
}

/** Tokens of the traces that have some; evalite records no costs. */
function usageOf(traces: readonly Row<'traces'>[]) {
  const counts = traces.flatMap((trace) => {
    const input = trace.input_tokens ?? trace.prompt_tokens;
    const output = trace.output_tokens ?? trace.completion_tokens;
    return isNumber(input) || isNumber(output) ? [{ input: input ?? 0, output: output ?? 0 }] : [];
  });
  return targetUsage({
    calls: counts.length,
    input: counts.reduce((sum, { input }) => sum + input, 0),
    output: counts.reduce((sum, { output }) => sum + output, 0),
    cost: null,
  });
}

/** SQLite's `2026-11-29 12:46:47`, which is UTC. */
function utcOf(time: string | null | undefined): number | undefined {
  return time ? timeOf(`${time.replace(' ', 'T')}Z`) : undefined;
}
