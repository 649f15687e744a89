import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Evaluator, MaybePromise } from '../authoring/evaluator.js';
import { pathText } from '../text/value-path.js';
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

/** Passes when the output is the text of a JSON value, also of a number or a text alone (RFC 8259), or is a value and no text. */
export function isJson(options: GraderOptions = {}): Evaluator {
  return grader('isJson', options, ({ output }) => {
    if (typeof output !== 'string') return verdict(output !== undefined, () => 'no output');
    const { problem = '' } = parsed(output);
    return verdict(problem === '', () => problem);
  });
}

/**
 * Passes when the output fits a schema: one of zod, valibot, arktype or another library with Standard Schema, or a JSON Schema,
 * for which the project must have `ajv`. Text that does not fit as it is, but is JSON, is judged by what it says. Notes
 * name the first paths that do not fit, and why.
 */
export function schema(
  wanted: StandardSchema | JsonSchema,
  options: GraderOptions = {},
): Evaluator {
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

/** @throws {Error} when the project has no `ajv`, and what `ajv` says of a schema that is none */
function ajvCheck(wanted: JsonSchema) {
  const validate = loadAjv().compile(wanted);
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

/** A token of a JSON Pointer (RFC 6901). */
function keyOf(token: string): string | number {
  return /^\d+$/.test(token) ? Number(token) : token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function loadAjv(): Ajv {
  const requireOfProject = createRequire(join(process.cwd(), 'package.json'));
  let loaded: { readonly default?: unknown };
  try {
    loaded = requireOfProject('ajv');
  } catch (error) {
    throw new Error('schema needs the package ajv for a JSON Schema: npm install --save-dev ajv', {
      cause: error,
    });
  }
  const Ajv = (loaded.default ?? loaded) as new (options: object) => Ajv;
  return new Ajv({ allErrors: true, strict: false });
}

function issuesText(issues: readonly string[]): string {
  const more = issues.length > mostIssues ? ` and ${issues.length - mostIssues} more` : '';
  return issues.length === 0 ? 'does not fit' : issues.slice(0, mostIssues).join('; ') + more;
}

function parsed(text: string): { readonly value?: unknown; readonly problem?: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
