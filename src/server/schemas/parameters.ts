import { z } from 'zod';
import { AssayError } from '../../errors.js';
import { checkName, runIdPattern } from '../../store/names.js';
import { shownAs } from './shown-as.js';

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

/** With `?wait=true`, an operation answers when its work has finished. */
export const waitQuery = z.object({
  wait: flagParameter(
    'Answer when the work has finished, instead of when it is scheduled. Default: false.',
  ),
});

/**
 * 1 to 100 characters without surrounding spaces, at least one of them visible, no control characters. See
 * `checkName`.
 */
const namePattern = String.raw`^\s*(?!\s)(?=[^\p{Cc}]*[^\p{Cf}\p{Z}\p{Cc}])[^\p{Cc}\p{Cs}\u2028\u2029]{1,100}(?<!\s)\s*$`;

/** A run name as stored: trimmed. */
export const runName = z
  .string()
  .overwrite((name) => name.trim())
  .superRefine((name, context) => {
    try {
      checkName(name, 'run');
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      context.addIssue({ code: 'custom', message: error.message });
    }
  })
  .meta({
    description: '1 to 100 printable characters; surrounding spaces are removed.',
    override: { pattern: namePattern },
  });

/** The name of a session in a path. */
export const sessionName = z
  .string()
  .overwrite((name) => name.trim())
  .meta({ description: 'Name of a session, percent-encoded.', example: 'default' });
