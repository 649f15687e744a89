import { isDeepStrictEqual, types } from 'node:util';
import { isPlain } from '../authoring/is-record.js';
import { pathText } from '../text/value-path.js';
import { convert } from '../values/convert.js';
import { inheritedNames } from '../values/inspect-value.js';
import type { LossKind } from '../values/losses.js';
import { shown } from './grader.js';

/** What may differ between two values that are equal. */
export interface Leniency {
  readonly ignore?: readonly string[] | undefined;
  readonly tolerance?: number | undefined;
}

type Key = string | number;

/**
 * The first path at which a value is not the wanted one, `items[0].price: wanted 10, got 12`; `undefined` if they are
 * equal. Dates, maps and sets are equal as `isDeepStrictEqual` of Node has it, instances of a class if their fields and getters are.
 * @throws {TypeError} where what they hold cannot be seen
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
  const visit = (
    one: unknown,
    two: unknown,
    path: readonly Key[],
    isGot = false,
  ): string | undefined => {
    if (isIgnored(path)) return undefined;
    if (isObject(one) && isObject(two) && haveParts(one, two)) {
      if (around.some((pair) => pair[0] === one && pair[1] === two)) return undefined;
      around.push([one, two]);
      // A getter may make another instance each time, which has the same getter.
      const getters = isGot ? new Set<Key>() : gettersOf(two);
      for (const key of [...keysOfBoth(one, two), ...getters]) {
        const isGetter = getters.has(key);
        const parts = [one, two].map((of) => partOf(of, key));
        const difference = visit(parts[0], parts[1], [...path, key], isGot || isGetter);
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
    if (!isEqual(one, two, tolerance)) {
      return `${placeOf(path)}wanted ${shownOrNone(two)}, got ${shownOrNone(one)}`;
    }
    if (one !== two) refuseUnseen(one, path);
    return undefined;
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** True for two lists, two plain objects, and two instances of a class with fields. */
function haveParts(one: object, two: object): boolean {
  if (Array.isArray(one) || Array.isArray(two)) return Array.isArray(one) && Array.isArray(two);
  if (isPlain(one) || isPlain(two)) return isPlain(one) && isPlain(two);
  const isSame = Object.getPrototypeOf(one) === Object.getPrototypeOf(two);
  return isSame && !isBuiltIn(one) && Object.keys(one).length > 0;
}

/** True for what `isDeepStrictEqual` knows more of than its fields. */
function isBuiltIn(value: object): boolean {
  const { isDate, isRegExp, isMap, isSet, isNativeError, isBoxedPrimitive, isAnyArrayBuffer } =
    types;
  const known = [isDate, isRegExp, isMap, isSet, isNativeError, isBoxedPrimitive, isAnyArrayBuffer];
  return ArrayBuffer.isView(value) || known.some((is) => is(value));
}

/** What `isDeepStrictEqual` does not look at. */
const unseen: ReadonlySet<LossKind> = new Set(['content', 'getters', 'unread']);

/** @throws {TypeError} where values that hold something else would be equal, too: promises, and classes that keep it private */
function refuseUnseen(value: unknown, path: readonly Key[]): void {
  if (!isObject(value)) return;
  const lost = convert(value).losses?.find(({ kind }) => unseen.has(kind));
  if (lost === undefined) return;
  const what = path.length === 0 ? 'the output' : `${pathText(path)} of the output`;
  throw new TypeError(`cannot compare ${what}, which ${lost.text}`);
}

/** Keys in the order of the wanted value, then the others. A list that is too long differs at the first position that is too many. */
function keysOfBoth(got: object, wanted: object): Iterable<Key> {
  if (Array.isArray(got) && Array.isArray(wanted)) {
    return Array.from({ length: Math.max(got.length, wanted.length) }, (_, i) => i);
  }
  return new Set([...Object.keys(wanted), ...Object.keys(got)]);
}

/** Names of the getters of an instance's class. */
function gettersOf(value: object): ReadonlySet<Key> {
  if (isPlain(value) || Array.isArray(value)) return new Set();
  return new Set(inheritedNames(value).getters.filter((name) => typeof name === 'string'));
}

function partOf(value: object, key: Key): unknown {
  return isPlain(value) || Array.isArray(value)
    ? valueAt(value, key)
    : (value as Record<Key, unknown>)[key];
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
