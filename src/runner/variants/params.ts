import { parse } from 'csv-parse/sync';
import { AssayError } from '../../errors.js';
import { isObject, type Json, type JsonObject, parseJson } from '../../model/json.js';
import { isParamName } from '../../model/option-ranges.js';
import { nearNames } from '../../text/near-names.js';

/** `--param NAME=VALUE`, once or several times: the texts of a param in order. */
export type ParamTexts = ReadonlyMap<string, readonly string[]>;

/** The params that evaluations of a run read, as far as they say it. */
export interface DeclaredParams {
  /** The different defaults of each param. */
  readonly defaults: ReadonlyMap<string, readonly Json[]>;
  /** True if an evaluation gives no defaults, so that it may read any param. */
  readonly hasOpen: boolean;
}

/**
 * Reads values of `--param`: `model=large,swift` are two values, as fields of a line of CSV, so a value with a comma stands in
 * double quotes. A name given twice has the values of both. Error: `usage`.
 */
export function parseParamFlags(flags: readonly string[]): ParamTexts {
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
    texts.set(name, [...(texts.get(name) ?? []), ...fieldsOf(rest.join('='), name)]);
  }
  return texts;
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

/**
 * The value that a text of `--param` stands for: of the type of the default; without one, JSON where it parses, else text.
 * Error: `usage` for a text that is no such value.
 */
export function readParam(name: string, text: string, { defaults }: DeclaredParams): Json {
  const known = defaults.get(name);
  const json = jsonOf(text);
  if (known === undefined) return json ?? text;
  const kinds = [...new Set(known.map(kindOf))];
  if (kinds.includes('text')) return text;
  if (json !== undefined && (kinds.includes(kindOf(json)) || kinds.includes('null'))) return json;
  if (kinds.includes('null')) return text;
  throw new AssayError(
    'usage',
    `The param ${name} is ${kinds.join(' or ')} in the evaluations, and ${JSON.stringify(text)} is none.`,
  );
}

/**
 * Checks the params of a run config or of a request: each is one that an evaluation of the run reads, and has the type of its
 * default. Error: `bad-request` that names it, and the nearest name.
 */
export function checkParams(params: JsonObject, declared: DeclaredParams): void {
  for (const [name, value] of Object.entries(params)) {
    const known = declared.defaults.get(name);
    if (known === undefined) {
      if (declared.hasOpen) continue;
      throw unreadParam(name, declared);
    }
    const kinds = [...new Set(known.map(kindOf))];
    if (kinds.includes('null') || kinds.includes(kindOf(value))) continue;
    throw new AssayError(
      'bad-request',
      `The param ${name} is ${kinds.join(' or ')} in the evaluations, not ${JSON.stringify(value)}.`,
    );
  }
}

/** Not a number that is too large for one: it would be stored as null. */
function jsonOf(text: string): Json | undefined {
  const json = parseJson(text);
  return json === Number.POSITIVE_INFINITY || json === Number.NEGATIVE_INFINITY ? undefined : json;
}

function unreadParam(name: string, { defaults }: DeclaredParams): AssayError {
  const names = [...defaults.keys()];
  const [near] = nearNames(name, names);
  const known =
    names.length === 0
      ? 'The evaluations have no params: give them defaults, such as params: { model: "large" }.'
      : `The evaluations read ${names.join(', ')}.`;
  return new AssayError('bad-request', `No evaluation of the run reads the param ${name}.`, {
    hints: [near === undefined ? known : `Did you mean ${near}?`],
  });
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'string' ? 'text' : 'true or false';
}
