import type { z } from 'zod';

/** A field of a body that may be left out; `null` says the same. See `withoutNulls`. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema.nullable().exactOptional();
}

type Given<T> = { [Key in keyof T]: Exclude<T[Key], null> };

/** A body without the fields that are `null`: they are not given. For `.transform()` of an object of `optional` fields. */
export function withoutNulls<T extends object>(body: T): Given<T> {
  const given = Object.entries(body).filter(([, value]) => value !== null);
  // What is null may be left out.
  return Object.fromEntries(given) as Given<T>;
}
