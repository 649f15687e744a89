import { isObject } from './json.js';

/** What a value has to be: a check of it, or the shapes of fields of an object, whose other fields do not matter. */
export type Shape = ((value: unknown) => boolean) | { readonly [field: string]: Shape };

/** True for a value that has a shape. */
export function fits(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'function') return shape(value);
  return isObject(value) && Object.entries(shape).every(([field, of]) => fits(value[field], of));
}

export function optional(shape: Shape): Shape {
  return (value) => value === undefined || fits(value, shape);
}

export function listOf(shape: Shape): Shape {
  return (value) => Array.isArray(value) && value.every((item) => fits(item, shape));
}

export function recordOf(shape: Shape): Shape {
  return (value) => isObject(value) && Object.values(value).every((item) => fits(item, shape));
}

export function oneOf(values: readonly unknown[]): Shape {
  return (value) => values.includes(value);
}

export function all(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.every((shape) => fits(value, shape));
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}

export function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** True for a finite number that is not negative. */
export function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
