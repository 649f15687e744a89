import { z } from 'zod';

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
  })
  .meta({ id: 'Problem', description: 'A problem document (RFC 9457).' });
