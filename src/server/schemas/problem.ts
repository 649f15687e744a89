import { z } from 'zod';
import { count } from './json-value.js';

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
        description: 'What does not fit, by JSON pointer into the body or name of a parameter.',
      }),
    run_id: z.string().exactOptional().meta({
      description: 'The run that is in progress, or is held by another process (409).',
    }),
    run_name: z.string().exactOptional().meta({ description: 'There with `run_id`.' }),
    progress: z.object({ finished: count, total: count }).exactOptional().meta({
      description:
        'How many of the results it was asked to run have finished; there with `run_id`.',
    }),
    pid: z
      .int()
      .exactOptional()
      .meta({ description: 'The process that executes it, when that is not the server.' }),
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' });
