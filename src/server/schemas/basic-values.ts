import { z } from 'zod';
import type { Json } from '../../model/result.js';

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
