import { readFile } from 'node:fs/promises';
import { CsvError, parse } from 'csv-parse/sync';
import { AssayError } from '../../errors.js';
import { isObject, parseJson } from '../../model/json.js';
import { labelVerdicts } from '../../model/labels.js';
import type { RubricTexts } from '../../store/replay/run-review.js';
import { type GivenLabel, toLabelRecord } from '../../store/review.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf } from '../../text/count-text.js';

/** What labels of a file do not say. */
interface LabelDefaults {
  readonly reviewer: string;
  /** As the settings have them. */
  readonly rubrics: RubricTexts;
}

interface FileLine {
  /** From 1. */
  readonly line: number;
  readonly given: Readonly<Record<string, unknown>> | undefined;
}

const mostNamed = 20;

/**
 * The labels of a CSV or JSONL file for a run. Errors: `no-such-path`; `bad-request`, which names what is wrong line by
 * line.
 */
export async function readLabelFile(
  file: string,
  run: StoredRun,
  defaults: LabelDefaults,
): Promise<GivenLabel[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new AssayError('no-such-path', `${file} cannot be read.`, { cause: error });
  });
  const lines = /\.csv$/i.test(file) ? csvLines(file, text) : jsonLines(text);
  const read = labelReader(run, defaults);
  const problems: string[] = [];
  const labels = lines.flatMap(({ line, given }) => {
    const label = given === undefined ? 'it is no JSON object' : read(given);
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

function csvLines(file: string, text: string): FileLine[] {
  try {
    const records = parse(text, {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim()),
      info: true,
      skip_empty_lines: true,
    }) as unknown as { info: { lines: number }; record: Record<string, string> }[];
    return records.map(({ info, record }) => ({
      line: info.lines,
      given: Object.fromEntries(
        Object.entries(record).flatMap(([name, cell]) =>
          cell === '' ? [] : [[name, cell.replace(escapedFormula, '')] as const],
        ),
      ),
    }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new AssayError('bad-request', `${file} is not CSV: ${error.message}.`, { cause: error });
  }
}

/** What exports put before a text that a spreadsheet would read as a formula. */
const escapedFormula = /^'(?=[=+\-@\t\r\n\0\uff1d\uff0b\uff0d\uff20])/;

function jsonLines(text: string): FileLine[] {
  return text.split('\n').flatMap((one, at) => {
    if (one.trim() === '') return [];
    const value = parseJson(one.replace(/^\uFEFF/, ''));
    return [{ line: at + 1, given: isObject(value) ? value : undefined }];
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
    const name = JSON.stringify([index, key, reviewer.trim()]);
    if (seen.has(name)) return `${reviewer} labels ${key} of result ${index} twice`;
    seen.add(name);
    return label;
  };
}

/** What the run says against a label. */
function faultOf(run: StoredRun, label: GivenLabel, hash: string | undefined): string | undefined {
  try {
    const record = toLabelRecord(run.reviewed, label);
    const isOther = hash !== undefined && record !== undefined && record.output_hash !== hash;
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
  const found = id === undefined ? undefined : byId.get(String(id));
  if (id !== undefined && found === undefined) return `the run has no result ${shown(id)}`;
  if (given === undefined) return found as number;
  const index = Number(given);
  if (!Number.isSafeInteger(index) || index < 0 || String(given).trim() === '') {
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
  const time = new Date(found.at);
  if (Number.isNaN(time.getTime())) return `at must be a time, not ${shown(found.at)}`;
  return { ...found, at: time.toISOString() };
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
