import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describeValue } from '../authoring/describe-value.js';
import type { Evaluator, MaybePromise } from '../authoring/evaluator.js';
import { isPlain } from '../authoring/is-record.js';
import { pathText } from '../text/value-path.js';
import { convert } from '../values/convert.js';
import { demand, demandOptions, type Rule } from './check.js';
import { type GraderOptions, grader, verdict } from './grader.js';

/** A schema of zod, valibot, arktype and others: https://standardschema.dev */
export interface StandardSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => MaybePromise<{
      readonly issues?: readonly Issue[] | undefined;
    }>;
  };
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/**
 * Passes when the output is the text of a JSON value, also of a number or a text alone (RFC 8259), or a value that has JSON: not a
 * promise, a function, `NaN`, a BigInt or what contains itself.
 */
export function isJson(options: GraderOptions = {}): Evaluator {
  demandOptions('isJson', options);
  return grader('isJson', options, ({ output }) => {
    const problem = typeof output === 'string' ? parsed(output).problem : problemOf(output);
    return verdict(problem === undefined, () => problem ?? '');
  });
}

/**
 * Passes when the output fits a schema: one of zod, valibot, arktype or another library with Standard Schema, or a JSON Schema,
 * for which the project must have `ajv` 8; a
 * keyword or format that it does not know is an error. Text that does not fit as it is, but is JSON, is judged by what it says. Notes
 * name the first paths that do not fit, and why.
 */
export function schema(
  wanted: StandardSchema | JsonSchema,
  options: GraderOptions = {},
): Evaluator {
  demandOptions('schema', options);
  demand('what schema takes', wanted, aSchema);
  if ('$async' in wanted) throw new TypeError('schema cannot use "$async" of a JSON Schema');
  let check: ((value: unknown) => MaybePromise<string | undefined>) | undefined;
  return grader('schema', options, async ({ output }) => {
    check ??= isStandard(wanted) ? standardCheck(wanted) : ajvCheck(wanted);
    const problem = await check(output);
    if (problem === undefined || typeof output !== 'string') {
      return verdict(problem === undefined, () => problem ?? '');
    }
    const json = parsed(output);
    if (json.problem !== undefined) return { passed: false, notes: problem };
    const ofJson = await check(json.value);
    return verdict(ofJson === undefined, () => ofJson ?? '');
  });
}

/** Why a value that is no text has no JSON; `undefined` if it has. */
function problemOf(value: unknown): string | undefined {
  if (value === undefined) return 'no output';
  const noContent = convert(value).losses?.find(({ kind }) => kind === 'content');
  if (noContent !== undefined) return `the output ${noContent.text}`;
  try {
    JSON.stringify(value, (_, part: unknown) => {
      if (typeof part !== 'number' || Number.isFinite(part)) return part;
      throw new TypeError(`there is no JSON for ${part}`);
    });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const aSchema: Rule = {
  fits: (value) =>
    ((typeof value === 'object' && value !== null) || typeof value === 'function') &&
    ('~standard' in value || (isPlain(value) && Object.keys(value).length > 0)),
  wanted: 'a schema: of zod, valibot, arktype or the like, or a JSON Schema',
};

function isStandard(wanted: StandardSchema | JsonSchema): wanted is StandardSchema {
  return '~standard' in wanted;
}

const mostIssues = 3;

function standardCheck(wanted: StandardSchema) {
  return async (value: unknown): Promise<string | undefined> => {
    const { issues } = await wanted['~standard'].validate(value);
    return (
      issues &&
      issuesText(
        issues.map(({ path = [], message }) => {
          const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
          return keys.length === 0 ? message : `${pathText(keys)}: ${message}`;
        }),
      )
    );
  };
}

/** What is used of `ajv`. */
interface Ajv {
  compile(wanted: JsonSchema): {
    (value: unknown): boolean | PromiseLike<unknown>;
    readonly errors?:
      | readonly { readonly instancePath?: string; readonly message?: string }[]
      | null;
  };
}

/** @throws {Error} when the project has no `ajv`, and what `ajv` says of a schema that it does not understand wholly */
function ajvCheck(wanted: JsonSchema) {
  const validate = compiled(wanted);
  return (value: unknown): string | undefined => {
    if (validate(value) === true) return undefined;
    return issuesText(
      (validate.errors ?? []).map(({ instancePath = '', message = '' }) => {
        const keys = instancePath.split('/').slice(1).map(keyOf);
        return keys.length === 0 ? message : `${pathText(keys)}: ${message}`;
      }),
    );
  };
}

function compiled(wanted: JsonSchema) {
  const ajv = loadAjv(wanted.$schema);
  try {
    return ajv.compile(wanted);
  } catch (error) {
    const reason = messageOf(error)
      .replace('strict mode: ', '')
      .replace(/(unknown format .*) ignored in schema/, '$1 in schema');
    const hint = reason.startsWith('unknown format')
      ? ' (formats come with: npm install --save-dev ajv-formats)'
      : '';
    throw new TypeError(`schema cannot use this JSON Schema: ${reason}${hint}`, { cause: error });
  }
}

/** A token of a JSON Pointer (RFC 6901). */
function keyOf(token: string): string | number {
  return /^\d+$/.test(token) ? Number(token) : token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The modules of `ajv` by the draft of JSON Schema. */
const drafts = {
  'draft-07': 'ajv',
  'draft/2019-09': 'ajv/dist/2019',
  'draft/2020-12': 'ajv/dist/2020',
} as const;

function moduleOf(draft: unknown): string {
  if (draft === undefined) return drafts['draft/2020-12'];
  const [, name = ''] = /^https?:\/\/json-schema\.org\/(.+)\/schema#?$/.exec(String(draft)) ?? [];
  if (Object.hasOwn(drafts, name)) return drafts[name as keyof typeof drafts];
  throw new TypeError(
    `schema knows JSON Schema draft-07, 2019-09 and 2020-12, not "$schema": ${describeValue(draft)}`,
  );
}

/** Keywords and formats that it does not know are errors: they would be ignored, and all would fit. */
const strictness = {
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowMatchingProperties: true,
  allowUnionTypes: true,
};

function loadAjv(draft: unknown): Ajv {
  const path = moduleOf(draft);
  const requireOfProject = createRequire(join(process.cwd(), 'package.json'));
  const load = (name: string): unknown => {
    const loaded = requireOfProject(name) as { readonly default?: unknown };
    return loaded.default ?? loaded;
  };
  let Ajv: new (options: object) => Ajv;
  try {
    // Older versions are not strict.
    load('ajv/dist/2019');
    Ajv = load(path) as typeof Ajv;
  } catch (error) {
    throw new Error(
      'schema needs the package ajv, version 8, for a JSON Schema: npm install --save-dev ajv@8',
      { cause: error },
    );
  }
  const ajv = new Ajv({ allErrors: true, strict: true, ...strictness });
  try {
    (load('ajv-formats') as (ajv: Ajv) => void)(ajv);
  } catch (error) {
    // A format is an error then.
    if (!isMissing(error)) throw error;
  }
  return ajv;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND';
}

function issuesText(issues: readonly string[]): string {
  const more = issues.length > mostIssues ? ` and ${issues.length - mostIssues} more` : '';
  return issues.length === 0 ? 'does not fit' : issues.slice(0, mostIssues).join('; ') + more;
}

function parsed(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
