import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { LineCounter, parseDocument, visit } from 'yaml';
import { AssayError } from '../../errors.js';
import { isJson, isJsonObject, type Json } from '../../model/json.js';
import { isParamName } from '../../model/option-ranges.js';
import { type DeclaredParams, readParam } from '../../runner/planning/params.js';
import { gridOf, nameVariants, type RunVariant } from '../../runner/variants/grid.js';
import { isExact } from '../../text/exact-number.js';

/** Flags that ask for runs with other params. */
export interface VariantFlags {
  readonly param?: readonly string[] | undefined;
  readonly 'run-config'?: readonly string[] | undefined;
  readonly variants?: string | undefined;
}

/** The runs that flags ask for. */
export interface AskedVariants {
  readonly count: number;
  /** Run configs that they name. */
  readonly runConfigs: readonly string[];
  /** Reads the values of their params. Error: `usage` for a value of another type than the default. */
  read(declared: DeclaredParams): readonly RunVariant[];
}

/** Errors: `usage` for flags that are no params, too many variants, and a file that is no list of variants. */
export async function askedVariants(flags: VariantFlags): Promise<AskedVariants> {
  if (flags.variants !== undefined) {
    const listed = await readVariants(flags.variants);
    const runConfigs = listed.flatMap(({ runConfig }) => runConfig ?? []);
    return { count: listed.length, runConfigs, read: () => listed };
  }
  const texts = gridOf(parseParamFlags(flags.param ?? []), flags['run-config']);
  nameVariants(texts);
  return {
    count: texts.length,
    runConfigs: flags['run-config'] ?? [],
    read: (declared) =>
      texts.map(({ params, ...one }) => ({
        ...one,
        params: Object.fromEntries(
          Object.entries(params).map(([name, text]) => [
            name,
            readParam(name, String(text), declared),
          ]),
        ),
      })),
  };
}

/**
 * Reads values of `--param`: `model=large,swift` are two values, as fields of a line of CSV, so a value with a comma stands in
 * double quotes. A name given twice has the values of both. Error: `usage`.
 */
export function parseParamFlags(flags: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const texts = new Map<string, string[]>();
  for (const flag of flags) {
    const [name = '', ...rest] = flag.split('=');
    if (rest.length === 0 || !isParamName(name)) {
      throw new AssayError('usage', `--param takes NAME=VALUE, not ${JSON.stringify(flag)}.`, {
        hints: [
          'For example --param model=large, or --param model=large,swift for one run of each.',
        ],
      });
    }
    const known = texts.get(name) ?? [];
    for (const value of fieldsOf(rest.join('='), name)) {
      if (known.includes(value)) throw givenTwice(name, value);
      known.push(value);
    }
    texts.set(name, known);
  }
  return texts;
}

function givenTwice(name: string, value: string): AssayError {
  return new AssayError('usage', `--param ${name} has the value ${JSON.stringify(value)} twice.`);
}

function fieldsOf(text: string, name: string): readonly string[] {
  if (text === '') return [''];
  try {
    // A line break inside of a value belongs to it.
    const rows: string[][] = parse(text, { record_delimiter: ['\0'], relax_column_count: true });
    return rows[0] ?? [''];
  } catch (error) {
    throw new AssayError('usage', `The values of --param ${name} are no line of CSV: ${text}`, {
      hints: [`Quote a value with a comma or a quote: --param '${name}="Hello, ""you"""'.`],
      cause: error,
    });
  }
}

/** Reads a YAML list of `{ name?, params?, run_config? }`. */
async function readVariants(file: string): Promise<readonly RunVariant[]> {
  if (file === '') throw new AssayError('usage', '--variants takes a file, and its name is empty.');
  const value = await readYaml(file);
  if (!Array.isArray(value) || value.length === 0) throw noList(file, 'it has no list');
  const listed = value.map((one, at) =>
    toVariant(one, (why) => noList(file, `entry ${at + 1} ${why}`)),
  );
  nameVariants(listed);
  return listed;
}

async function readYaml(file: string): Promise<unknown> {
  const lines = new LineCounter();
  try {
    const document = parseDocument(await readFile(file, 'utf8'), { lineCounter: lines });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    visit(document, {
      Scalar: (_, { value, source, range }) => {
        if (typeof value !== 'number' || isKept(value, source)) return;
        const { line, col } = lines.linePos(range?.[0] ?? 0);
        const text = `${file}:${line}:${col}: ${source} is a number that JSON cannot keep.`;
        throw new AssayError('usage', text, { hints: ['In quotes it is a text.'] });
      },
    });
    return document.toJS();
  } catch (error) {
    if (error instanceof AssayError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new AssayError('usage', `${file} cannot be read: ${message}`, { cause: error });
  }
}

/** `source` may be octal, too. */
function isKept(value: number, source = ''): boolean {
  if (/^[+-]?0[ox]/i.test(source)) return Number.isSafeInteger(value);
  return Number.isFinite(value) && isExact(source.replace(/^\+/, '').replace(/^(-?)\./, '$10.'));
}

const known = ['name', 'params', 'run_config'];

function toVariant(one: unknown, fault: (why: string) => AssayError): RunVariant {
  if (!isJsonObject(one)) throw fault('is no mapping');
  const other = Object.keys(one).find((key) => !known.includes(key));
  if (other !== undefined) throw fault(`has the unknown key ${other}`);
  const { name, params = {}, run_config: runConfig } = one;
  if (name !== undefined && (typeof name !== 'string' || name.trim() === '')) {
    throw fault('has a name that is no text');
  }
  if (runConfig !== undefined && typeof runConfig !== 'string') {
    throw fault('has a run_config that is no name');
  }
  if (!isJsonObject(params) || !isJson(params)) throw fault('has params that are no mapping');
  const wrong = Object.keys(params).find((key) => !isParamName(key));
  if (wrong !== undefined) throw fault(`has the param ${JSON.stringify(wrong)}, which is no name`);
  return {
    params: params as { readonly [name: string]: Json },
    ...(name !== undefined && { name }),
    ...(runConfig !== undefined && { runConfig }),
  };
}

function noList(file: string, why: string): AssayError {
  return new AssayError('usage', `${file} is no list of variants: ${why}.`, {
    hints: ['Such as: - { name: swift, params: { model: swift, prompt: v15 } }'],
  });
}
