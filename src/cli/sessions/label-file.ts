import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { AssayError } from '../../errors.js';
import { labelColumns } from '../../exporters/labels.js';
import { isCount, isObject, parseJson } from '../../model/json.js';
import { labelVerdicts } from '../../model/labels.js';
import type { RubricTexts } from '../../store/replay/run-review.js';
import { type GivenLabel, outputToLabel, toLabelRecord } from '../../store/review.js';
import type { StoredRun } from '../../store/stored-run.js';
import { whyNoText } from '../../text/bad-utf8.js';
import { countOf } from '../../text/count-text.js';
import { nearNames } from '../../text/near-names.js';
import { normalName } from '../../text/person-name.js';

/** What labels of a file do not say. */
interface LabelDefaults {
  readonly reviewer: string;
  /** As the settings have them. */
  readonly rubrics: RubricTexts;
}

interface FileLine {
  /** On which it begins, from 1. */
  readonly line: number;
  /** The label, or what is wrong with the line. */
  readonly given: Readonly<Record<string, unknown>> | string;
}

const mostNamed = 20;

/**
 * The labels of a CSV or JSONL file for a run, at least one. Errors: `no-such-path`; `bad-request`, which names what is wrong
 * line by line.
 */
export async function readLabelFile(
  file: string,
  run: StoredRun,
  defaults: LabelDefaults,
): Promise<GivenLabel[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new AssayError('no-such-path', `${file} cannot be read.`, { cause: error });
  });
  const bad = whyNoText(bytes);
  if (bad !== undefined) {
    const message = `${file} cannot be read: ${bad.reason}, at line ${bad.line}.`;
    throw new AssayError('bad-request', message, { hints: ['Save it as UTF-8.'] });
  }
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const lines = /\.csv$/i.test(file) ? csvLines(file, text) : jsonLines(text);
  if (lines.length === 0) throw new AssayError('bad-request', `${file} has no labels.`);
  const read = labelReader(run, defaults);
  const problems: string[] = [];
  const labels = lines.flatMap(({ line, given }) => {
    const label = typeof given === 'string' ? given : read(given);
    if (typeof label !== 'string') return [label];
    problems.push(`line ${line}: ${label}`);
    return [];
  });
  if (problems.length === 0) return labels;
  const more = problems.length - mostNamed;
  throw new AssayError(
    'bad-request',
    `Nothing was imported: ${countOf(problems.length, 'label')} of ${file} cannot be.`,
    { hints: [...problems.slice(0, mostNamed), ...(more > 0 ? [`and ${more} more`] : [])] },
  );
}

/** Errors: `bad-request` for what is no CSV, and for a header that is not one of labels. */
function csvLines(file: string, text: string): FileLine[] {
  const records = parseCsv(file, text);
  // The parser counts CRLF in quotes as two lines, and CR as none.
  const placed = text.includes('\r') ? parseCsv(file, text.replace(/\r\n?/g, '\n')) : records;
  const [header, ...rows] = records;
  if (header === undefined) return [];
  const names = header.record.map((name) => name.trim());
  const fault = headerFault(names);
  if (fault !== undefined) {
    const line = firstLine(placed[0] ?? header);
    throw new AssayError('bad-request', `${file} cannot be imported: line ${line}: ${fault}.`);
  }
  return rows.map((row, at) => {
    const line = firstLine(placed[at + 1] ?? row);
    const { length } = row.record;
    if (length !== names.length) {
      const given = `it has ${countOf(length, 'field')}, and the header ${names.length}`;
      return { line, given };
    }
    const cells = row.record.flatMap((cell, column) =>
      cell === '' ? [] : [[names[column] ?? '', cell.replace(escapedFormula, '')] as const],
    );
    return { line, given: Object.fromEntries(cells) };
  });
}

interface CsvRecord {
  readonly info: { readonly lines: number };
  readonly record: readonly string[];
}

function parseCsv(file: string, text: string): CsvRecord[] {
  try {
    return parse(text, {
      record_delimiter: ['\r\n', '\n', '\r'],
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRecord[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AssayError('bad-request', `${file} is not CSV: ${error.message}.`, { cause: error });
  }
}

/** The parser says on which line a record ends. */
function firstLine({ info, record }: CsvRecord): number {
  return info.lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
}

/** Why columns are not those of labels. */
function headerFault(names: readonly string[]): string | undefined {
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice !== undefined) return `two columns are named ${JSON.stringify(twice)}`;
  const fault = unknownField(names, 'column');
  if (fault !== undefined) return fault;
  const lacks = ['key', 'verdict'].find((name) => !names.includes(name));
  if (lacks !== undefined) return `it has no column ${lacks}`;
  return names.includes('index') || names.includes('id')
    ? undefined
    : 'it has no column index or id';
}

function unknownField(names: readonly string[], what: 'column' | 'field'): string | undefined {
  const known: readonly string[] = labelColumns;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const near = nearNames(unknown, known);
  const meant =
    near.length === 0 ? `; there are ${known.join(', ')}` : `; did you mean ${near.join(' or ')}?`;
  return `labels have no ${what} ${JSON.stringify(unknown)}${meant}`;
}

/** What exports put before a text that a spreadsheet would read as a formula. */
const escapedFormula = /^'(?=[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20])/;

function jsonLines(text: string): FileLine[] {
  return text.split('\n').flatMap((one, at): FileLine[] => {
    if (one.trim() === '') return [];
    const value = parseJson(one);
    if (!isObject(value)) return [{ line: at + 1, given: 'it is no JSON object' }];
    return [{ line: at + 1, given: unknownField(Object.keys(value), 'field') ?? value }];
  });
}

/** Reads one label after the other: the label, or what is wrong with it. */
function labelReader(run: StoredRun, { reviewer: usual, rubrics }: LabelDefaults) {
  const byId = new Map(run.rows.map(({ id }, index) => [id, index]));
  const keys = new Set(run.rows.flatMap(({ scores }) => scores.map(({ key }) => key)));
  const seen = new Set<string>();
  return (given: Readonly<Record<string, unknown>>): GivenLabel | string => {
    const index = indexOf(given, byId);
    if (typeof index === 'string') return index;
    const { key, verdict } = given;
    const { evaluation = '' } = run.rows[index] ?? {};
    const isRated = typeof key === 'string' && run.rubricOf(evaluation, key, rubrics) !== undefined;
    if (typeof key !== 'string' || !(keys.has(key) || isRated)) {
      return `the run has no score ${shown(key)}`;
    }
    const word = labelVerdicts.find((one) => one === verdict);
    if (word === undefined)
      return `verdict must be ${labelVerdicts.join(', ')}, not ${shown(verdict)}`;
    const texts = textsOf(given);
    if (typeof texts === 'string') return texts;
    const { reviewer = usual, rubric_version: version, output_hash: hash, ...others } = texts;
    const current = run.rubricOf(evaluation, key, rubrics)?.version;
    if (version !== undefined && version !== current) {
      return `rubric_version ${version} is not that of ${key} now, ${current ?? 'which has none'}`;
    }
    const label: GivenLabel = {
      ...{ index, key, verdict: word, reviewer, ...others },
      ...(current !== undefined && { rubric_version: current }),
    };
    const fault = faultOf(run, label, hash);
    if (fault !== undefined) return fault;
    const name = JSON.stringify([index, key, normalName(reviewer)]);
    if (seen.has(name)) return `${reviewer} labels ${key} of result ${index} twice`;
    seen.add(name);
    return label;
  };
}

/** What the run says against a label. */
function faultOf(run: StoredRun, label: GivenLabel, hash: string | undefined): string | undefined {
  try {
    toLabelRecord(run.reviewed, label);
    const isOther = hash !== undefined && outputToLabel(run, label.index) !== hash;
    return isOther ? `result ${label.index} has another output now` : undefined;
  } catch (error) {
    if (error instanceof AssayError) return error.message;
    throw error;
  }
}

function indexOf(
  { index: given, id }: Readonly<Record<string, unknown>>,
  byId: ReadonlyMap<string, number>,
): number | string {
  if (given === undefined && id === undefined) return 'it has neither index nor id';
  const found = typeof id === 'string' ? byId.get(id) : undefined;
  if (id !== undefined && found === undefined) return `the run has no result ${shown(id)}`;
  if (given === undefined) return found as number;
  const isPlain = typeof given === 'string' ? /^\d+$/.test(given) : isCount(given);
  const index = Number(given);
  if (!isPlain || !Number.isSafeInteger(index)) {
    return `index must be a whole number, not ${shown(given)}`;
  }
  if (found !== undefined && found !== index) return `result ${index} is not ${shown(id)}`;
  return index;
}

const textNames = ['reviewer', 'note', 'rubric_version', 'sample', 'at', 'output_hash'] as const;

/** The optional texts of a label, or what is wrong with them. */
function textsOf(
  given: Readonly<Record<string, unknown>>,
): { readonly [name in (typeof textNames)[number]]?: string } | string {
  const found: { [name in (typeof textNames)[number]]?: string } = {};
  for (const name of textNames) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return `${name} must be a text, not ${shown(value)}`;
    found[name] = value;
  }
  if (found.at === undefined) return found;
  const at = isoTime(found.at);
  if (at !== undefined) return { ...found, at };
  return `at must be a date, or a time with its zone as 2026-01-31T12:00:00Z, not ${shown(found.at)}`;
}

const iso8601 = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** A time as labels have it; `undefined` if the text is not ISO 8601, or no such day. */
function isoTime(text: string): string | undefined {
  const day = iso8601.exec(text)?.[1];
  const [time, start] = [new Date(text), new Date(day ?? '')];
  if (day === undefined || Number.isNaN(time.getTime()) || Number.isNaN(start.getTime())) return;
  return start.toISOString().startsWith(day) ? time.toISOString() : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
