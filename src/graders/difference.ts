import { isDeepStrictEqual } from 'node:util';
import { pathText } from '../text/value-path.js';
import { shown } from './grader.js';

/** What may differ between two values that are equal. */
export interface Leniency {
  readonly ignore?: readonly string[] | undefined;
  readonly tolerance?: number | undefined;
}

type Key = string | number;

/**
 * The first path at which a value is not the wanted one, `items[0].price: wanted 10, got 12`; `undefined` if they are
 * equal. Dates, maps, sets and class instances are equal as `isDeepStrictEqual` of Node has it.
 */
export function firstDifference(
  got: unknown,
  wanted: unknown,
  { ignore = [], tolerance = 0 }: Leniency,
): string | undefined {
  const ignored = ignore.map((path) => keysOf(path));
  /** What is being compared, from the outside in: a cycle ends where it began. */
  const around: (readonly [unknown, unknown])[] = [];
  const isIgnored = (path: readonly Key[]) => ignored.some((pattern) => matchesPath(pattern, path));
  /** True when what only the longer list has is ignored. */
  const isOfIgnored = (lengths: readonly [number, number], path: readonly Key[]) => {
    const [shorter, longer] = [Math.min(...lengths), Math.max(...lengths)];
    const more = Array.from({ length: longer - shorter }, (_, i) => shorter + i);
    return more.every((key) => isIgnored([...path, key]));
  };
  const visit = (one: unknown, two: unknown, path: readonly Key[]): string | undefined => {
    if (isIgnored(path)) return undefined;
    if (isPlain(one) && isPlain(two) && Array.isArray(one) === Array.isArray(two)) {
      if (around.some((pair) => pair[0] === one && pair[1] === two)) return undefined;
      around.push([one, two]);
      for (const key of keysOfBoth(one, two)) {
        const difference = visit(valueAt(one, key), valueAt(two, key), [...path, key]);
        if (difference !== undefined) return difference;
      }
      const lengths = lengthsOf(one, two);
      if (lengths !== undefined && !isOfIgnored(lengths, path)) {
        const [got, wanted] = lengths;
        return `${placeOf(path)}wanted a list of ${wanted}, got a list of ${got}`;
      }
      around.pop();
      return undefined;
    }
    if (isEqual(one, two, tolerance)) return undefined;
    return `${placeOf(path)}wanted ${shownOrNone(two)}, got ${shownOrNone(one)}`;
  };
  return visit(got, wanted, []);
}

function isEqual(one: unknown, two: unknown, tolerance: number): boolean {
  if (typeof one === 'number' && typeof two === 'number') {
    return one === two || Object.is(one, two) || isWithin(one, two, tolerance);
  }
  return isDeepStrictEqual(one, two);
}

/** True for numbers that are at most so far apart, but for the rounding of their difference. */
export function isWithin(one: number, two: number, distance: number): boolean {
  // The rounding of an infinite number would be infinite.
  if (!Number.isFinite(one) || !Number.isFinite(two)) return Object.is(one, two);
  const rounding = 2 * Number.EPSILON * Math.max(Math.abs(one), Math.abs(two));
  return Math.abs(one - two) <= distance + (distance > 0 ? rounding : 0);
}

/** The lengths of two lists that differ in them. */
function lengthsOf(got: object, wanted: object): readonly [number, number] | undefined {
  if (!Array.isArray(got) || !Array.isArray(wanted)) return undefined;
  return got.length === wanted.length ? undefined : [got.length, wanted.length];
}

function placeOf(path: readonly Key[]): string {
  return path.length === 0 ? '' : `${pathText(path)}: `;
}

/** Lists, and objects without a class of their own. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === null || prototype === Object.prototype;
}

/** Keys in the order of the wanted value, then the others. A list that is too long differs at the first position that is too many. */
function keysOfBoth(got: object, wanted: object): Iterable<Key> {
  if (Array.isArray(got) && Array.isArray(wanted)) {
    return Array.from({ length: Math.max(got.length, wanted.length) }, (_, i) => i);
  }
  return new Set([...Object.keys(wanted), ...Object.keys(got)]);
}

function valueAt(value: object, key: Key): unknown {
  return Object.hasOwn(value, key) ? (value as Record<Key, unknown>)[key] : undefined;
}

/** The value at a path; `undefined` where there is none. */
export function valueAtPath(value: unknown, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? valueAt(at, key) : undefined),
    value,
  );
}

/** True for a text that names a place in a value. */
export function isPath(value: unknown): value is string {
  return typeof value === 'string' && keysOf(value).length > 0;
}

/** `items[0].price` and `items.0.price` are the same. */
function keysOf(path: string): string[] {
  return path
    .replaceAll(/\[(\w+|\*)\]/g, '.$1')
    .split('.')
    .filter((key) => key !== '');
}

function matchesPath(pattern: readonly string[], path: readonly Key[]): boolean {
  return (
    pattern.length === path.length &&
    pattern.every((key, i) => key === '*' || key === String(path[i]))
  );
}

function shownOrNone(value: unknown): string {
  return value === undefined ? 'nothing' : shown(value);
}
