import { z } from 'zod';
import { count } from './basic-values.js';

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
