import { open, stat } from 'node:fs/promises';
import { AssayError } from '../../errors.js';
import { isRunUsage, type RunUsage } from '../../model/calls/run-usage.js';
import { isNumber, isObject, isStrings } from '../../model/json.js';
import {
  type DeclaredScale,
  isDeclaredScale,
  maxScoreKeyLength,
} from '../../model/scores/score-limits.js';
import type { Passes } from '../../statistics/fisher-exact.js';
import { readRunDocument } from '../../store/exported/read-exported-run.js';
import type { CaseScore, CaseUsage, EvalCase } from '../cases/eval-case.js';
import type { ComparedRun } from '../compared-run.js';
import { type Baseline, baselineMark, baselineVersion } from './baseline.js';

type Fields = { readonly [key: string]: unknown };

/**
 * Parses a baseline document. Errors: `bad-request`, which names the place in the document, and `newer-format` for
 * a later version.
 */
export function parseBaseline(document: unknown): Baseline {
  const fields = asFields(document, 'The document');
  const version = fields[baselineMark];
  if (!isCount(version, 1))
    throw invalid(baselineMark, `the version, 1 to ${baselineVersion}`, version);
  if (version > baselineVersion) {
    throw new AssayError(
      'newer-format',
      `It was written by a newer assay (version ${version}, this one knows ${baselineVersion}).`,
    );
  }
  const { evaluations, attempts, draws } = fields;
  if (!Array.isArray(evaluations)) throw invalid('evaluations', 'a list', evaluations);
  const cases = evaluations.map((one: unknown, at) =>
    parseCase(one, `evaluations[${at}]`, version),
  );
  refuseTwins(cases);
  const ids = {
    graded: parseAttempts('attempts', attempts, cases.length),
    draw: parseAttempts('draws', draws, cases.length),
  };
  return {
    run_id: text(fields, 'run_id'),
    run_name: text(fields, 'run_name'),
    date: text(fields, 'date'),
    usage: parseTotals(fields.usage),
    cases: cases.map((evalCase, at) => withAttempts(evalCase, ids.graded[at], ids.draw[at])),
  };
}

/** What identifies the attempts of each case; nothing if the list no longer fits, as after a merge by hand. */
function parseAttempts(name: string, value: unknown, length: number): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || !value.every((one): one is string => typeof one === 'string')) {
    throw invalid(name, 'a list of texts', value);
  }
  return value.length === length ? value : [];
}

function withAttempts(evalCase: EvalCase, graded = '', draw = ''): EvalCase {
  return { ...evalCase, ...(graded !== '' && { graded }), ...(draw !== '' && { draw }) };
}

function parseTotals(value: unknown): RunUsage | undefined {
  if (value === undefined || isRunUsage(value)) return value;
  throw invalid('usage', 'what calls used', value);
}

function parseCase(value: unknown, place: string, version: number): EvalCase {
  const fields = asFields(value, place);
  const id = text(fields, 'id', place);
  const trials = count(fields, 'trials', place, 1);
  const judged = count(fields, 'judged', place, 0, trials);
  const { output, cluster } = fields;
  if (cluster !== undefined && typeof cluster !== 'string') {
    throw invalid(`${place}.cluster`, 'text', cluster);
  }
  if (output !== undefined && typeof output !== 'string') {
    throw invalid(`${place}.output`, 'text', output);
  }
  return {
    id,
    function: id,
    dataset: '',
    ...(cluster !== undefined && { cluster }),
    trials,
    passes: count(fields, 'passes', place, 0, judged),
    judged,
    // Version 1 does not record errors.
    errors: version === 1 ? undefined : parseErrors(fields, place, judged),
    scores: parseScores(fields.scores, `${place}.scores`),
    outputHash: output ?? null,
    latency: null,
    ...(fields.usage !== undefined && { usage: parseUsage(fields.usage, `${place}.usage`) }),
  };
}

function parseUsage(value: unknown, place: string): CaseUsage {
  const fields = asFields(value, place);
  const amount = (name: string): number | null => {
    const given = fields[name];
    if (given === null || (isNumber(given) && given >= 0)) return given;
    throw invalid(`${place}.${name}`, 'a number of at least 0, or null', given);
  };
  return {
    calls: fields.calls === null ? null : count(fields, 'calls', place, 0),
    tokens: amount('tokens'),
    cost: amount('cost'),
  };
}

function parseErrors(fields: Fields, place: string, judged: number): number {
  return fields.errors === undefined ? 0 : count(fields, 'errors', place, 0, judged);
}

function parseScores(value: unknown, place: string): CaseScore[] {
  return Object.entries(asFields(value, place)).map(([key, score]) => {
    if (key === '' || (key.length > maxScoreKeyLength && [...key].length > maxScoreKeyLength)) {
      throw invalid(place, `keys of 1 to ${maxScoreKeyLength} characters`, key);
    }
    return { key, ...parseScore(score, `${place}.${key}`) };
  });
}

/**
 * Verdicts (`passed` of `of`), `values`, both, or, in version 1, the `sum` of `count` values; `derived` are the verdicts
 * of a threshold.
 */
function parseScore(value: unknown, place: string): Omit<CaseScore, 'key'> {
  const fields = asFields(value, place);
  const derived =
    fields.derived === undefined
      ? {}
      : { derived: parsePasses(asFields(fields.derived, `${place}.derived`), `${place}.derived`) };
  return {
    ...parseCounts(fields, place),
    ...(fields.human === true && { human: true as const }),
    ...(fields.asserted === true && { asserted: true as const }),
    ...(fields.scale !== undefined && { scale: parseScale(fields.scale, `${place}.scale`) }),
    ...(fields.rubrics !== undefined && {
      rubrics: parseTexts(fields.rubrics, `${place}.rubrics`),
    }),
    ...(fields.models !== undefined && {
      models: parseTexts(fields.models, `${place}.models`),
    }),
    ...derived,
  };
}

function parseScale(value: unknown, place: string): DeclaredScale {
  if (isDeclaredScale(value)) return value;
  throw invalid(place, 'two numbers, the smaller one first', value);
}

function parseTexts(value: unknown, place: string): readonly string[] {
  if (isStrings(value) && value.length > 0) return value;
  throw invalid(place, 'a list of texts', value);
}

function parsePasses(fields: Fields, place: string): Passes {
  const of = count(fields, 'of', place, 1);
  return { passes: count(fields, 'passed', place, 0, of), of };
}

function parseCounts(fields: Fields, place: string): Omit<CaseScore, 'key' | 'derived'> {
  const values =
    fields.values === undefined ? undefined : parseValues(fields.values, `${place}.values`);
  if (fields.of !== undefined) {
    const { passes, of } = parsePasses(fields, place);
    const verdicts = { kind: 'ratio', sum: passes, count: of } as const;
    return values === undefined ? verdicts : { ...verdicts, values };
  }
  if (values !== undefined) {
    const sum = values.reduce((total, one) => total + one, 0);
    const only = { kind: 'value', sum, count: values.length } as const;
    return values.length === 1 ? only : { ...only, values };
  }
  const { sum } = fields;
  if (typeof sum !== 'number' || !Number.isFinite(sum)) {
    throw invalid(`${place}.values`, 'a list of numbers', fields.values);
  }
  return { kind: 'value', sum, count: count(fields, 'count', place, 1) };
}

function parseValues(value: unknown, place: string): number[] {
  const isList = Array.isArray(value) && value.length > 0;
  if (!isList || !value.every((one): one is number => Number.isFinite(one))) {
    throw invalid(place, 'a list of numbers', value);
  }
  return value;
}

/** Rejects duplicate cases, which a merge that kept both sides leaves behind. */
function refuseTwins(cases: readonly EvalCase[]): void {
  const known = new Set<string>();
  for (const { id } of cases) {
    if (known.has(id)) {
      throw new AssayError('bad-request', `${JSON.stringify(id)} occurs twice in evaluations.`);
    }
    known.add(id);
  }
}

function asFields(value: unknown, place: string): Fields {
  if (isObject(value)) return value;
  throw invalid(place, 'an object', value);
}

function text(fields: Fields, name: string, place?: string): string {
  const value = fields[name];
  if (typeof value === 'string' && value !== '') return value;
  throw invalid(place === undefined ? name : `${place}.${name}`, 'text', value);
}

function count(fields: Fields, name: string, place: string, least: number, most?: number): number {
  const value = fields[name];
  if (isCount(value, least) && (most === undefined || value <= most)) return value;
  const range = most === undefined ? `from ${least}` : `from ${least} to ${most}`;
  throw invalid(`${place}.${name}`, `a whole number ${range}`, value);
}

function isCount(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

function invalid(place: string, wanted: string, value: unknown): AssayError {
  const given = value === undefined ? 'missing' : (JSON.stringify(value) ?? '').slice(0, 100);
  return new AssayError('bad-request', `${place} must be ${wanted}, not ${given}.`);
}

// The mark comes first, even when keys were sorted; an exported run may be hundreds of megabytes long.
const sniffedBytes = 4096;

/** True if a file begins like a baseline file. */
export async function isBaselineFile(path: string): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined || !stats.isFile()) return false;
  const start = await readStart(path).catch(() => '');
  // Anything may follow `results`.
  return (start.split('"results"', 1)[0] ?? '').includes(`"${baselineMark}"`);
}

async function readStart(path: string): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(sniffedBytes);
    const { bytesRead } = await handle.read(bytes, 0, sniffedBytes, 0);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Reads a baseline file; `name` is used in errors. Errors: `unreadable-run`, `bad-request`, `newer-format`. */
export async function readBaselineFile(path: string, name: string): Promise<ComparedRun> {
  return ofBaseline(await parseFile(path, name));
}

async function parseFile(path: string, name: string): Promise<Baseline> {
  try {
    return parseBaseline(await readRunDocument(path, name, 'baseline'));
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    if (error.code === 'unreadable-run') {
      throw new AssayError(error.code, error.message, {
        cause: error,
        hints: ['After a merge: take one side of it, or bless a run again.'],
      });
    }
    throw new AssayError(error.code, `${name}: ${error.message}`, { cause: error });
  }
}

function ofBaseline({ run_id, run_name, date, usage, cases }: Baseline): ComparedRun {
  const milliseconds = Date.parse(date);
  return {
    head: {
      run_id,
      run_name,
      session_name: null,
      config_name: null,
      state: null,
      timestamp: Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000),
      ...(usage && { usage }),
    },
    cases,
    unfinished: 0,
    rowsOf: () => new Map(),
    read: async (index) => {
      throw new Error(`a baseline has no row ${index}`);
    },
  };
}
