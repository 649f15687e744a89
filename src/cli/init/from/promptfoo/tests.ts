import { extname } from 'node:path';
import { parse } from 'csv-parse/sync';
import { globSync } from 'tinyglobby';
import { isObject } from '../../../../model/json.js';
import { slashed } from '../../../../text/file-path.js';
import { readSource, sourceError } from '../read-source.js';
import { leave, leftComment, type Tally } from '../tally.js';
import { fillTemplate, hasTemplate, isSimpleTemplate } from '../template.js';
import { type Assertion, isAssertion, readCell } from './assertion.js';
import { type Config, parseYaml } from './read-config.js';

type Vars = Readonly<Record<string, unknown>>;

/** A test of promptfoo with what `defaultTest` adds, for one combination of its vars. */
export interface Test {
  readonly vars: Vars;
  /** Those of `defaultTest` first. */
  readonly assertions: readonly Assertion[];
  readonly threshold: number | undefined;
  readonly description: string | undefined;
  readonly metadata: Vars | undefined;
  readonly trials: number | undefined;
  /** Fields without a translation, by their path: `options.transform`. */
  readonly strange: Vars;
}

/** The tests of a configuration. */
export interface Tests {
  readonly tests: readonly Test[];
  /** Comments for those that are left. */
  readonly left: readonly (readonly string[])[];
  /** What judges by a rubric; absent: promptfoo's own choice. */
  readonly judge: unknown;
  /** The only file with tests, if it is a CSV. */
  readonly csv?: string;
}

/** Reads tests, in each of the forms that promptfoo knows. Error: `bad-request` for a file that cannot be read. */
export function readTests(config: Config, tally: Tally): Tests {
  const { value } = config;
  const defaults = defaultTestOf(value.defaultTest, config);
  const shared = asList(defaults.assert, config);
  const variations = (row: Vars) => variationsOf(row, { defaults, shared, config });
  const left: (readonly string[])[] = [];
  const sources: string[] = [];
  const rows = (value.tests === undefined ? [] : [value.tests].flat(1)).flatMap((given) => {
    const source = sourceOf(given);
    if (source === undefined) return [given];
    const files = filesOf(source, config);
    sources.push(...files);
    return files.flatMap((file) => rowsOf(file, config) ?? [given]);
  });
  const merged = rows.flatMap((row): Test[] => {
    if (isObject(row) && (row.vars === undefined || isObject(row.vars))) {
      return variations(row);
    }
    leave(tally, 'test');
    left.push(leftComment('these tests are not translated.', row));
    return [];
  });
  const hasNone = value.tests === undefined && value.scenarios === undefined;
  const tests = hasNone ? variations({}) : merged;
  const [only = ''] = sources;
  const isCsv =
    sources.length === 1 && rows.length > 0 && !Array.isArray(value.tests) && /\.csv$/i.test(only);
  return {
    ...{ tests, left, judge: isObject(defaults.options) ? defaults.options.provider : undefined },
    ...(isCsv && Object.keys(defaults.vars ?? {}).length === 0 && { csv: only }),
  };
}

function defaultTestOf(given: unknown, config: Config): Vars {
  const file = sourceOf(given);
  const value =
    file === undefined ? given : parseYaml(readSource(config.folder, file, config.path), file);
  return isObject(value) ? value : {};
}

/** The path of a file with tests; `undefined` for anything else. */
function sourceOf(given: unknown): string | undefined {
  const path = isObject(given) && Object.keys(given).length === 1 ? given.path : given;
  if (typeof path !== 'string' || /^(https?|huggingface|az|gs|s3):/.test(path)) return undefined;
  return path.replace(/^file:\/\//, '');
}

function filesOf(path: string, config: Config): string[] {
  if (!/[*?[{]/.test(path)) return [path];
  const found = globSync([slashed(path)], { cwd: config.folder }).sort();
  if (found.length > 0) return found;
  throw sourceError(`${config.path} names ${path}, which matches no file.`);
}

/** The tests in a file; `undefined` where it is code, or a format that is not read. */
function rowsOf(file: string, config: Config): unknown[] | undefined {
  const kind = extname(file).toLowerCase();
  if (!['.csv', '.json', '.jsonl', '.yaml', '.yml'].includes(kind)) return undefined;
  const text = readSource(config.folder, file, config.path);
  if (kind === '.csv') return csvRows(text, file);
  if (kind === '.jsonl') {
    return text
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .map((line) => parseYaml(line, file));
  }
  const value = parseYaml(text, file);
  return Array.isArray(value) ? value : [value];
}

function csvRows(text: string, file: string): unknown[] {
  let rows: Record<string, string>[];
  try {
    rows = parse(text, {
      columns: (names: string[]) => names.map((name) => name.trim()),
      ...{ bom: true, relax_quotes: true, skip_empty_lines: true },
    });
  } catch (error) {
    throw sourceError(
      `${file} is no CSV: ${error instanceof Error ? error.message : error}.`,
      error,
    );
  }
  return rows.map(csvTest);
}

/** A row of a table: columns that begin with two underscores say what a test has, all others are vars. */
function csvTest(row: Readonly<Record<string, string>>): unknown {
  const vars: Record<string, string> = {};
  const metadata: Record<string, unknown> = {};
  const test: Record<string, unknown> = {};
  const options: Record<string, unknown> = {};
  const cells: string[] = [];
  for (const [name, cell] of Object.entries(row)) {
    if (!name.startsWith('__')) vars[name] = cell;
    else if (cell.trim() === '') continue;
    else if (name.startsWith('__expected')) cells.push(cell);
    else if (name.startsWith('__metadata:')) metadata[name.slice('__metadata:'.length)] = cell;
    else if (name === '__threshold') test.threshold = Number(cell);
    else if (name === '__prefix' || name === '__suffix') options[name.slice(2)] = cell;
    else test[name === '__description' ? 'description' : name] = cell;
  }
  const { __metric: metric, ...others } = test;
  const assert = cells.map((cell) => ({
    ...readCell(cell),
    ...(metric !== undefined && { metric }),
  }));
  return { ...others, vars, assert, options, metadata };
}

const readOptions = [
  'provider',
  'disableVarExpansion',
  'disableDefaultAsserts',
  'repeat',
  'runSerially',
];
const readFields = ['vars', 'assert', 'threshold', 'description', 'metadata', 'options'];

interface Defaults {
  readonly defaults: Vars;
  /** The assertions of `defaultTest`. */
  readonly shared: readonly Assertion[];
  readonly config: Config;
}

/** A test for each combination of the vars that are lists. */
function variationsOf(row: Vars, { defaults, shared: all, config }: Defaults): Test[] {
  const options = { ...asObject(defaults.options), ...asObject(row.options) };
  const own = asList(row.assert, config);
  const shared = options.disableDefaultAsserts === true ? [] : all;
  const strange = {
    ...pick(defaults, (field) => !readFields.includes(field)),
    ...pick(row, (field) => !readFields.includes(field)),
    ...pick(defaults, (field) => field === 'vars' && !isObject(defaults.vars)),
    ...prefixed(
      'options',
      pick(options, (name) => !readOptions.includes(name)),
    ),
    ...prefixed(
      'options',
      pick(asObject(row.options), (name) => name === 'provider'),
    ),
  };
  const threshold = row.threshold ?? defaults.threshold;
  const metadata = { ...asObject(defaults.metadata), ...asObject(row.metadata) };
  const given = { ...asObject(defaults.vars), ...asObject(row.vars) };
  const combinations = options.disableVarExpansion === true ? [given] : combinationsOf(given);
  return combinations.map((combination) => {
    const { vars, strangeVars } = readVars(combination, config);
    return {
      ...{ vars, assertions: [...shared, ...own] },
      threshold: typeof threshold === 'number' ? threshold : undefined,
      description: typeof row.description === 'string' ? row.description : undefined,
      metadata: Object.keys(metadata).length === 0 ? undefined : metadata,
      trials: typeof options.repeat === 'number' ? options.repeat : undefined,
      strange: { ...strange, ...prefixed('vars', strangeVars) },
    };
  });
}

/** Assertions; what is none becomes one of an unknown type. */
function asList(given: unknown, config: Config): Assertion[] {
  if (given === undefined || given === null) return [];
  const file = sourceOf(given);
  const value =
    file === undefined ? given : parseYaml(readSource(config.folder, file, config.path), file);
  return [value].flat(1).map((one) => (isAssertion(one) ? one : { type: 'assertion', value: one }));
}

function combinationsOf(vars: Vars): Vars[] {
  return Object.entries(vars).reduce<Vars[]>(
    (all, [name, value]) => {
      const isMany = Array.isArray(value) && typeof value[0] === 'string';
      const values: readonly unknown[] = isMany ? value : [value];
      return all.flatMap((one) => values.map((each) => ({ ...one, [name]: each })));
    },
    [{}],
  );
}

/** Vars with the texts of their files and with each other in their templates. */
function readVars(
  given: Vars,
  config: Config,
): { readonly vars: Vars; readonly strangeVars: Vars } {
  const vars: Record<string, unknown> = {};
  const strangeVars: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'string' && value.startsWith('file://')) {
      const file = value.slice('file://'.length);
      if (/\.(txt|md|html|csv|xml|json)$/.test(file)) {
        vars[name] = readSource(config.folder, file, config.path).trim();
      } else strangeVars[name] = value;
    } else vars[name] = typeof value === 'string' ? value.replace(/\n$/, '') : value;
  }
  for (const [name, value] of Object.entries(vars)) {
    if (!hasTemplate(value)) continue;
    if (typeof value === 'string' && isSimpleTemplate(value))
      vars[name] = fillTemplate(value, vars);
    else strangeVars[name] = value;
  }
  return { vars, strangeVars };
}

function asObject(value: unknown): Vars {
  return isObject(value) ? value : {};
}

function pick(from: Vars, isWanted: (field: string) => boolean): Vars {
  return Object.fromEntries(Object.entries(from).filter(([field]) => isWanted(field)));
}

function prefixed(prefix: string, fields: Vars): Vars {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [`${prefix}.${field}`, value]),
  );
}
