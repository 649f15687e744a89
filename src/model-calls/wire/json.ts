import type { Json, JsonObject } from '../../model/result.js';

/** The value when it is an object. */
export function objectOf(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined;
}

/** The items of a list; none when the value is no list. */
export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** The items of a list that are objects; none when the value is no list. */
export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return listOf(value)
    .map(objectOf)
    .filter((item) => item !== undefined);
}

/** The objects that items of a list have in a field. */
export function fieldsOf(items: readonly JsonObject[], field: string): readonly JsonObject[] {
  return items.map((item) => objectOf(item[field])).filter((value) => value !== undefined);
}

/** The value when it is a text. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value when it is a text of at least one character. */
export function nameOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The value when it can be a count: a finite number of at least 0. */
export function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

/** The sum of the counts that are known; absent when none is. */
export function sumOf(...counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

/** A value as JSON; a note for one that is nested too deeply to be written. */
export function jsonText(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return '"[nested too deeply]"';
  }
}

/** A copy without some fields, and without those that are `null` or `undefined`. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([key, value]) => value != null && !keys.includes(key)),
  );
}

/** A copy without the fields that are `undefined`. */
export function defined<T extends object>(
  object: T,
): { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  // The filter is what the type says.
  return Object.fromEntries(entries) as ReturnType<typeof defined<T>>;
}
