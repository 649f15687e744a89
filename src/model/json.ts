/** Any JSON value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** True for a JSON object. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for what JSON has, of parsed JSON. */
export function isJson(value: unknown): value is Json {
  return value !== undefined;
}

/** True for a JSON object, of parsed JSON. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value);
}

/** True for a whole number of 0 or more. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** True for a finite number. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** True for a list of strings. */
export function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

/** True for the same JSON, whatever the order of keys. */
export function isSameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [keysOfA, keysOfB] = [Object.entries(a), Object.keys(b)];
  return (
    Array.isArray(a) === Array.isArray(b) &&
    keysOfA.length === keysOfB.length &&
    keysOfA.every(([key, value]) => Object.hasOwn(b, key) && isSameJson(value, Reflect.get(b, key)))
  );
}

/** True for values whose JSON is the same text, which need not be made. */
export function isSameInOrder(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const [ofA, ofB] = [Object.entries(a), Object.entries(b)];
  const isSameEntry = ([key, value]: [string, unknown], at: number) =>
    key === ofB[at]?.[0] && isSameInOrder(value, ofB[at]?.[1]);
  return (
    Array.isArray(a) === Array.isArray(b) && ofA.length === ofB.length && ofA.every(isSameEntry)
  );
}

/** Parses JSON of a file; `undefined` if it is not JSON, or nested too deeply to be serialised again. */
export function parseStoredJson(text: string): Json | undefined {
  return isNestedDeeper(text, mostJsonLevels) ? undefined : parseJson(text);
}

/** Parses JSON of any depth; `undefined` if it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** True for a time as `Date` writes it: RFC 3339, UTC, with milliseconds. */
export function isTimeText(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** Maximum nesting of a stored document: values are cut at 200 levels, and their containers add a few. */
export const mostJsonLevels = 400;

/**
 * True for JSON text that is nested deeper than `levels`. `JSON.parse` accepts any depth; `JSON.stringify` and
 * other recursive code do not.
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  return countUpTo(text, levels + 1) > levels && depthOf(text) > levels;
}

/** Counts opening brackets, including those within strings, up to `most`. Much quicker than measuring the depth. */
function countUpTo(text: string, most: number): number {
  let count = 0;
  for (const bracket of ['[', '{']) {
    let at = text.indexOf(bracket);
    while (at !== -1 && count < most) {
      count += 1;
      at = text.indexOf(bracket, at + 1);
    }
  }
  return count;
}

function depthOf(text: string): number {
  let deepest = 0;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isInText = !isInText;
    else if (isInText) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}
