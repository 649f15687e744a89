import type { z } from 'zod';

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
