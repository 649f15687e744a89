// Checks for values whose properties may throw or lie.
import { types } from 'node:util';

/** True for buffers and typed arrays. */
export function isBytes(value: object): value is ArrayBufferView | ArrayBufferLike {
  return (
    ArrayBuffer.isView(value) || value instanceof ArrayBuffer || value instanceof SharedArrayBuffer
  );
}

/** True for a plain object. May throw. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !hasToJson(value);
}

/** True for an object that says what its JSON is, unless somebody has given all objects such a method. May throw. */
export function hasToJson(value: object): value is { toJSON: () => unknown } {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return false;
  return value.toJSON !== (Object.prototype as { readonly toJSON?: unknown }).toJSON;
}

/**
 * True for an empty object that is made like a literal, as most metadata and trace data are: nothing in it is hidden, it
 * is not frozen, and no proxy. False if inspecting it throws.
 */
export function isEmptyPlain(value: unknown): value is Record<string, never> {
  try {
    if (typeof value !== 'object' || value === null || types.isProxy(value)) return false;
    if (Object.getPrototypeOf(value) !== Object.prototype) return false;
    return Object.isExtensible(value) && Reflect.ownKeys(value).length === 0;
  } catch {
    return false;
  }
}

/**
 * True for an object without enumerable fields that probably has content: it has methods, getters, or properties that
 * are not enumerable. May throw.
 */
export function hidesContent(value: object): boolean {
  if (Reflect.ownKeys(value).length > 0) return true;
  const { getters, others } = inheritedNames(value);
  return getters.length + others.length > 0;
}

/** The names that the prototypes of an object give it; `Object` itself gives none. May throw. */
export function inheritedNames(value: object): {
  readonly getters: readonly PropertyKey[];
  readonly others: readonly PropertyKey[];
} {
  const getters: PropertyKey[] = [];
  const others: PropertyKey[] = [];
  let from: object | null = Object.getPrototypeOf(value);
  for (; from !== null; from = Object.getPrototypeOf(from)) {
    // The prototype of plain objects, of any realm.
    if (Object.getPrototypeOf(from) === null && Object.hasOwn(from, 'hasOwnProperty')) break;
    for (const key of Reflect.ownKeys(from)) {
      const property = Object.getOwnPropertyDescriptor(from, key);
      if (property?.get !== undefined) getters.push(key);
      else if (key !== 'constructor') others.push(key);
    }
  }
  return { getters: contentFirst(getters), others };
}

/** Names of the field or getter that most likely has the content of an instance. */
export const contentNames = ['text', 'content', 'output', 'object', 'data', 'value'];

function contentFirst(names: readonly PropertyKey[]): PropertyKey[] {
  const isContent = (name: PropertyKey) => contentNames.includes(String(name));
  return [...names.filter(isContent), ...names.filter((name) => !isContent(name))];
}

/** The kind of an object in words: `an instance of Point`. May throw. */
export function kindOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1);
  if (/Generator$/.test(tag)) return 'a generator';
  const { constructor: made } = value as { readonly constructor?: unknown };
  const name = typeof made === 'function' ? nameOf(made) : 'anonymous';
  return name === 'anonymous' || name === 'Object' ? 'an object' : `an instance of ${name}`;
}

/** The value of a field, or a string with the error of its getter. */
export function readField(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key];
  } catch (error) {
    return `<threw ${messageOf(error)}>`;
  }
}

/** The name of a function, or `anonymous`. */
export function nameOf(value: { readonly name?: unknown }): string {
  try {
    return typeof value.name === 'string' && value.name !== '' ? value.name : 'anonymous';
  } catch {
    return 'anonymous';
  }
}

/** The message of a thrown value as a string. */
export function messageOf(error: unknown): string {
  try {
    return error instanceof Error
      ? `${wordsOf(error.name)}: ${wordsOf(error.message)}`
      : wordsOf(error);
  } catch {
    return 'something that cannot be shown';
  }
}

/** A value as a string; a list may have billions of elements. */
function wordsOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : String(value);
}
