import { z } from 'zod';
import { AssayError } from '../../errors.js';
import type { Json } from '../../model/result.js';
import { checkName, runIdPattern } from '../../store/names.js';
import { normalName } from '../../text/person-name.js';

/** Any JSON value. */
export const jsonValue: z.ZodType<Json> = z.any();

/** A JSON object with any keys. */
export const jsonObject = z.record(z.string(), jsonValue);

/** A whole number from 0. */
export const count = z
  .int({ error: 'must be a whole number' })
  .nonnegative({ error: 'must not be negative' });

/** What intervals are over, where cases share clusters. */
export const clusters = count.exactOptional().meta({
  description:
    'How many independent units intervals are over: clusters of cases, and cases without one. Absent without clusters.',
});

/** A duration. */
export const seconds = z.number().nullable().meta({
  description: 'Seconds; `null` if there is none.',
});

/** A whole number of seconds since 1970. */
export const unixSeconds = z.int();

/** Part of every answer to an operation that changes something. */
export const ok = z.literal(true);

/** An optional field of a body; `null` means the same as a missing field. See `withoutNulls`. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullable().exactOptional();
}

type Given<T> = { [Key in keyof T]: Exclude<T[Key], null> };

/** Removes fields that are `null`. For `.transform()` of an object of `optional` fields. */
export function withoutNulls<T extends object>(body: T): Given<T> {
  const given = Object.entries(body).filter(([, value]) => value !== null);
  // Fields that may be null are optional.
  return Object.fromEntries(given) as Given<T>;
}

const documentation = ['description', 'example', 'examples', 'default'];

/**
 * For `.meta({ override })`: documents this JSON Schema, which clients send or receive, instead of the schema's
 * own, which describes the parsed value.
 */
export function shownAs(schema: Readonly<Record<string, unknown>>) {
  return ({ jsonSchema }: { readonly jsonSchema: object }): void => {
    for (const key of Object.keys(jsonSchema)) {
      if (!documentation.includes(key)) Reflect.deleteProperty(jsonSchema, key);
    }
    Object.assign(jsonSchema, schema);
  };
}

/** A run id, or `latest` for the active run, which is parsed to `undefined`. */
const runReference = z
  .string()
  .refine((text) => text === 'latest' || runIdPattern.test(text), {
    error: 'must be a run id of 12 hexadecimal digits, or latest',
  })
  .transform((text) => (text === 'latest' ? undefined : text))
  .meta({
    description: 'A run id, or `latest` for the active run.',
    example: 'latest',
    override: { pattern: '^(latest|[0-9a-f]{12})$' },
  });

/** Path parameters of operations that read a whole run: `/data` and the exports. */
export const runParams = z.object({ run_id: runReference });

/** Path parameters of all other operations on a run, which require its id. */
export const runIdParams = z.object({
  run_id: z
    .string()
    .regex(runIdPattern, {
      error: ({ input }) =>
        input === 'latest'
          ? 'must be a run id here, not latest: that of the active run is run_id in GET /results'
          : 'must be a run id of 12 hexadecimal digits',
    })
    .meta({ description: 'A run id.', example: '3f9a0c12be77' }),
});

/** Path parameters of one result; `index` is parsed to a number. */
export const resultParams = z.object({
  run_id: runReference,
  index: z
    .string()
    .regex(/^(?:0|[1-9]\d{0,14})$/, { error: 'must be the position of a result, counted from 0' })
    .transform(Number)
    .meta({
      description: 'Position of the result in the run, from 0.',
      example: 0,
      override: shownAs({ type: 'integer', minimum: 0 }),
    }),
});

/** A boolean parameter; `undefined` if missing. */
export function flagParameter(description: string) {
  return z
    .array(z.enum(['true', 'false'], { error: 'must be true or false' }))
    .max(1, { error: 'must be given once' })
    .transform((values) => values[0] === 'true')
    .optional()
    .meta({ description, override: shownAs({ type: 'boolean' }) });
}

/** A text parameter; `undefined` if missing. */
export function textParameter(description: string) {
  return z
    .array(z.string())
    .max(1, { error: 'must be given once' })
    .transform(([text]) => text)
    .optional()
    .meta({ description, override: shownAs({ type: 'string' }) });
}

/** With `?wait=true`, an operation answers when its work has finished. */
export const waitQuery = z.strictObject({
  wait: flagParameter(
    'Answer when the work has finished, instead of when it is scheduled. Default: false.',
  ),
});

/**
 * 1 to 100 characters without surrounding spaces, at least one of them visible, no control characters. See
 * `checkName`.
 */
const namePattern = String.raw`^\s*(?!\s)(?=[^\p{Cc}]*[^\p{Cf}\p{Z}\p{Cc}])[^\p{Cc}\p{Cs}\u2028\u2029]{1,100}(?<!\s)\s*$`;

/** The same without invisible characters. */
const reviewerPattern = String.raw`^\s*(?!\s)(?=[^\p{Cc}]*[^\p{Cf}\p{Z}\p{Cc}])[^\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]{1,100}(?<!\s)\s*$`;

function nameOf(what: 'run' | 'reviewer') {
  return z
    .string()
    .overwrite((name) => (what === 'reviewer' ? normalName(name) : name.trim()))
    .superRefine((name, context) => {
      try {
        checkName(name, what);
      } catch (error) {
        if (!(error instanceof AssayError)) throw error;
        context.addIssue({ code: 'custom', message: error.message });
      }
    })
    .meta({
      description:
        what === 'reviewer'
          ? '1 to 100 printable characters, none of them invisible; surrounding spaces are removed, and letters composed (NFC).'
          : '1 to 100 printable characters; surrounding spaces are removed.',
      override: { pattern: what === 'reviewer' ? reviewerPattern : namePattern },
    });
}

/** A run name as stored: trimmed. */
export const runName = nameOf('run');

/** The name of a reviewer as stored: trimmed. */
export const reviewerName = nameOf('reviewer');

/** The name of a session in a path. */
export const sessionName = z
  .string()
  .overwrite((name) => name.trim())
  .meta({ description: 'Name of a session, percent-encoded.', example: 'default' });

/** A problem document (RFC 9457). */
export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().meta({ description: 'One sentence that says what to do about it.' }),
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string() }))
      .exactOptional()
      .meta({
        description: 'The invalid values, by JSON pointer into the body or by parameter name.',
      }),
    run_id: z.string().exactOptional().meta({
      description: 'The run that is in progress, or locked by another process (409).',
    }),
    run_name: z.string().exactOptional().meta({ description: 'Present with `run_id`.' }),
    progress: z.object({ finished: count, total: count }).exactOptional().meta({
      description: 'The number of its selected results that have finished; present with `run_id`.',
    }),
    pid: z
      .int()
      .exactOptional()
      .meta({ description: 'The process that executes it, if that is not the server.' }),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' });

/** Why it is not known of some results whether they are out of date. */
export const checkProblem = z.string().exactOptional().meta({
  description:
    'Eval files that could not be imported, whose results are not checked; or the reason why nothing is known.',
});
