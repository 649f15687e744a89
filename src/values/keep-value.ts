import { types } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { isSameJson, type Json } from '../model/json.js';
import { type Converted, convert, maxDepth } from './convert.js';
import { isExactJson } from './exact-text.js';
import { contentNames, inheritedNames, isBytes, isEmptyPlain, kindOf } from './inspect-value.js';
import { namesText, pathText } from './losses.js';

/** Largest value that is kept beside its JSON, in bytes. */
const maxKeptBytes = 1024 * 1024;
/** What is kept of `undefined`, whose JSON is `null`. */
const undefinedMark = 'undefined';
/** What comes before the bytes of a value with objects without a prototype: those follow it in a list. */
const bareMark = 'bare:';

/** How a value is stored. */
export interface Keeping {
  /** No code can tell what is stored from what was there. */
  readonly isExact: boolean;
  /** What restores the value, beside its JSON; absent where the JSON does. */
  readonly kept?: string;
  /** Why the value cannot be restored, as words in brackets: `getters: .text`. */
  readonly inexact?: string;
  /** What its author can do about that, as a sentence; absent where nothing is wrong with the value itself. */
  readonly mend?: string;
}

/** Why a value other than the output cannot be restored: `getters: .text` of its input is `getters in input: .text`. */
export function inexactIn(name: string, why: string): string {
  const [what = '', ...where] = why.split(': ');
  return [`${what} in ${name}`, ...where].join(': ');
}

const exact: Keeping = { isExact: true };

/**
 * Decides how a value is stored: JSON that keeps it is all there is; what only the structured clone keeps (dates, maps,
 * sets, BigInt, bytes, NaN, -0, `undefined`, cycles, errors) is kept beside it; anything else is inexact. `holdsSecret`
 * says whether bytes have a secret in them. Never throws.
 */
export function keepValue(
  value: unknown,
  converted: Converted,
  holdsSecret: (bytes: Buffer) => boolean,
): Keeping {
  if (converted.cut) return inexact('cut');
  if (converted.redacted === true) return inexact('redacted');
  if (value === undefined) return { isExact: true, kept: undefinedMark };
  if (isSameOrExact(value, converted.value)) return exact;
  try {
    const look = new Look();
    look.at(value, 0);
    if (!look.needsClone) return { isExact: false };
    const { bare } = look;
    const bytes = serialize(bare.length === 0 ? value : [value, bare]);
    if (bytes.length > maxKeptBytes) return tooLarge;
    if (holdsSecret(bytes)) return inexact('redacted');
    const mark = bare.length === 0 ? '' : bareMark;
    return { isExact: look.isPlain, kept: mark + bytes.toString('base64') };
  } catch (error) {
    if (!(error instanceof Loss)) return { ...inexact('it cannot be copied'), mend: mendOf(value) };
    return { ...inexact(error.message), mend: mendOf(value, error.getter) };
  }
}

/** The value that was kept; `undefined` if it cannot be had, or is not what its JSON shows. Never throws. */
export function restoreValue(kept: string, json: Json): { readonly value: unknown } | undefined {
  if (kept === undefinedMark) return json === null ? { value: undefined } : undefined;
  try {
    const hasBare = kept.startsWith(bareMark);
    const bytes = Buffer.from(hasBare ? kept.slice(bareMark.length) : kept, 'base64');
    if (bytes.length > maxKeptBytes) return undefined;
    const read: unknown = deserialize(bytes);
    const value = hasBare ? withoutPrototypes(read as readonly [unknown, readonly object[]]) : read;
    new Look().at(value, 0);
    const shown = convert(value);
    return !shown.cut && isSameJson(shown.value, json) ? { value } : undefined;
  } catch {
    return undefined;
  }
}

function withoutPrototypes([value, bare]: readonly [unknown, readonly object[]]): unknown {
  for (const one of bare) Object.setPrototypeOf(one, null);
  return value;
}

function isSameOrExact(value: unknown, json: Json): boolean {
  // As most metadata is.
  if (isEmptyPlain(value)) return true;
  if (typeof value === 'object' && value !== null) return isExactJson(value, json);
  return value === json && !Object.is(value, -0);
}

/** Names of the getters that results which are still streaming have. */
const streamNames = ['textStream', 'fullStream', 'partialObjectStream'];

/** `getter`: the name of the first getter of the value itself. */
function mendOf(value: unknown, getter?: string): string {
  const has = (name: string) => typeof value === 'object' && value !== null && name in value;
  const name = contentNames.find(has) ?? getter;
  // The parts of a result that is still streaming are promises.
  const wait = streamNames.some(has) ? 'await ' : '';
  const suchAs = name === undefined ? '' : `, such as { ${name}: ${wait}result.${name} }`;
  return `Return plain data${suchAs}.`;
}

function inexact(why: string): Keeping {
  return { isExact: false, inexact: why };
}

const tooLarge = inexact('larger than 1 MiB');

/** What neither JSON nor the structured clone keeps, and where. */
class Loss extends Error {
  /** The first getter of the value itself. */
  readonly getter: string | undefined;

  constructor(message: string, getter?: string) {
    super(message);
    this.getter = getter;
  }
}

const errorPrototypes: ReadonlySet<unknown> = new Set(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map(
    ({ prototype }) => prototype,
  ),
);
const errorKeys: ReadonlySet<PropertyKey> = new Set(['stack', 'message', 'cause']);

let causes: boolean | undefined;

/** Older versions of Node lose the cause of an error. */
function keepsCauses(): boolean {
  causes ??= (deserialize(serialize(new Error('', { cause: 1 }))) as Error).cause === 1;
  return causes;
}

/** Looks for what makes a value more than its JSON. */
class Look {
  /** Only the structured clone keeps it. */
  needsClone = false;
  /** It has nothing that a clone is told by: no frozen objects, no instances. */
  isPlain = true;
  /** Objects without a prototype, which the structured clone gives one. */
  readonly bare: object[] = [];
  readonly #seen = new Set<object>();
  readonly #path: string[] = [];

  /** Throws a {@link Loss} where something is not kept. */
  at(value: unknown, depth: number): void {
    switch (typeof value) {
      case 'string':
        if (!value.isWellFormed()) this.needsClone = true;
        return;
      case 'number':
        if (!Number.isFinite(value) || Object.is(value, -0)) this.needsClone = true;
        return;
      case 'bigint':
      case 'undefined':
        this.needsClone = true;
        return;
      case 'boolean':
        return;
      case 'function':
      case 'symbol':
        throw this.#loss(typeof value);
      default:
        if (value !== null) this.#object(value as object, depth);
    }
  }

  #object(value: object, depth: number): void {
    if (this.#seen.has(value)) {
      // The same object in two places, or within itself.
      this.needsClone = true;
      return;
    }
    this.#seen.add(value);
    if (types.isProxy(value)) throw this.#loss('a proxy');
    if (depth > maxDepth) throw this.#loss('nested too deep');
    if (!Object.isExtensible(value)) this.isPlain = false;
    if (Array.isArray(value)) this.#list(value, depth);
    else if (!this.#known(value, depth)) this.#instance(value, depth);
  }

  #list(list: readonly unknown[], depth: number): void {
    if (Object.getPrototypeOf(list) !== Array.prototype) throw this.#loss(kindOf(list));
    const keys = Reflect.ownKeys(list);
    // Holes, or other fields.
    if (keys.length !== list.length + 1) this.needsClone = true;
    this.#fields(
      list,
      keys.filter((key) => key !== 'length'),
      depth,
    );
  }

  /** True for objects that the structured clone knows. */
  #known(value: object, depth: number): boolean {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (isBytes(value)) this.#bytes(value, prototype);
    else if (types.isDate(value) && prototype === Date.prototype) this.#bare(value);
    else if (types.isMap(value) && prototype === Map.prototype) this.#map(value, depth);
    else if (types.isSet(value) && prototype === Set.prototype) {
      this.#bare(value);
      for (const item of Set.prototype.values.call(value)) this.at(item, depth + 1);
    } else if (types.isRegExp(value) && prototype === RegExp.prototype) {
      if (value.lastIndex > 0) throw this.#loss('lastIndex of a RegExp');
      this.#bare(value, ['lastIndex']);
    } else if (types.isBoxedPrimitive(value) && !(value instanceof String)) this.#bare(value);
    else if (errorPrototypes.has(prototype)) this.#error(value as Error, depth);
    else return false;
    this.needsClone = true;
    return true;
  }

  #bytes(value: ArrayBufferView | ArrayBufferLike, prototype: unknown): void {
    if (types.isSharedArrayBuffer(value)) throw this.#loss('a SharedArrayBuffer');
    // One for each byte: their other fields are not looked for.
    const { name } = value.constructor;
    const made: unknown = (globalThis as { readonly [name: string]: unknown })[name];
    const isBuiltIn = typeof made === 'function' && made.prototype === prototype;
    if (!isBuiltIn) throw this.#loss(kindOf(value));
    // What is restored is at another place of another buffer.
    if (ArrayBuffer.isView(value)) this.isPlain = false;
  }

  #map(map: ReadonlyMap<unknown, unknown>, depth: number): void {
    this.#bare(map);
    for (const [key, item] of Map.prototype.entries.call(map)) {
      this.at(key, depth + 1);
      this.#within(typeof key === 'string' ? key : '[]', item, depth);
    }
  }

  #error(error: Error, depth: number): void {
    const other = Reflect.ownKeys(error).find((key) => !errorKeys.has(key));
    if (other !== undefined) throw this.#loss('fields of an error', [other]);
    if (!Object.hasOwn(error, 'cause')) return;
    if (!keepsCauses()) throw this.#loss('the cause of an error');
    this.#within('cause', error.cause, depth);
  }

  /** Plain objects, and instances that are no more than their fields. */
  #instance(value: object, depth: number): void {
    const keys = Reflect.ownKeys(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (value instanceof Error) throw this.#loss(kindOf(value));
    if (prototype === null) {
      this.bare.push(value);
      this.needsClone = true;
    } else if (prototype !== Object.prototype) {
      this.isPlain = false;
      this.#inherited(value);
    }
    // Somebody has given all objects one.
    if ('toJSON' in value) this.needsClone = true;
    this.#fields(value, keys, depth);
  }

  /** What a class adds to its instances. */
  #inherited(value: object): void {
    const { getters, others } = inheritedNames(value);
    if (getters.length > 0) throw this.#loss('getters', getters);
    if (others.length === 0) return;
    const isMethod = others.every((key) => typeof key === 'string');
    throw isMethod ? this.#loss('methods', others) : this.#loss(kindOf(value));
  }

  #fields(value: object, keys: readonly PropertyKey[], depth: number): void {
    const getters = keys.filter(
      (key) => Object.getOwnPropertyDescriptor(value, key)?.get !== undefined,
    );
    if (getters.length > 0) throw this.#loss('getters', getters);
    for (const key of keys) {
      const property = Object.getOwnPropertyDescriptor(value, key);
      if (typeof key === 'symbol') throw this.#loss('symbol', [key]);
      if (property?.enumerable !== true) throw this.#loss('hidden field', [key]);
      if (property.writable !== true || property.configurable !== true) this.isPlain = false;
      this.#within(String(key), property.value, depth);
    }
  }

  #within(key: string, value: unknown, depth: number): void {
    this.#path.push(key);
    this.at(value, depth + 1);
    this.#path.pop();
  }

  /** An object that is more than its kind has fields of its own. */
  #bare(value: object, usual: readonly PropertyKey[] = []): void {
    const other = Reflect.ownKeys(value).find((key) => !usual.includes(key));
    if (other !== undefined) throw this.#loss(`fields of ${kindOf(value)}`, [other]);
  }

  #loss(what: string, keys?: readonly PropertyKey[]): Loss {
    if (keys !== undefined) {
      const [first] = what === 'getters' && this.#path.length === 0 ? keys : [];
      const getter = typeof first === 'string' ? first : undefined;
      return new Loss(`${what}: ${namesText(keys, this.#path)}`, getter);
    }
    return new Loss(this.#path.length === 0 ? what : `${what}: ${pathText(this.#path)}`);
  }
}
