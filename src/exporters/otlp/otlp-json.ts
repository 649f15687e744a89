import type { JsonObject } from '../../model/result.js';

/** A value of an attribute; `double` for numbers that stay doubles even if whole. */
type AttributeValue = string | boolean | number | readonly string[] | { readonly double: number };
export type Attributes = { readonly [name: string]: AttributeValue | undefined };

/** Values of enums are numbers in OTLP JSON. */
export const kindInternal = 1;
export const kindClient = 3;
export const statusError = 2;

/** A time as OTLP JSON writes 64-bit numbers: as a text. */
export function nanoseconds(milliseconds: number, secondsAfter: number): string {
  const microseconds = BigInt(Math.round(milliseconds * 1000 + secondsAfter * 1e6));
  return String(microseconds * 1000n);
}

/** Attributes in OTLP JSON, without `undefined` ones. */
export function attributes(values: Attributes) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: AttributeValue): JsonObject {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  }
  if ('double' in value) return { doubleValue: value.double };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}
