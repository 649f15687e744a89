import { isObject } from '../model/json.js';
import type { Json, JsonObject } from '../model/result.js';
import { cutMiddle } from '../text/cut-middle.js';
import { cutJson, moreElements, moreFields, moreName } from './cut-json.js';
import {
  hasToJson,
  hidesContent,
  inheritedNames,
  isBytes,
  isEmptyPlain,
  isPlain,
  kindOf,
  messageOf,
  nameOf,
  readField,
} from './inspect-value.js';
import { type Loss, Losses, type LossKind, namesText, pathText } from './losses.js';

/** Largest JSON of one value, in bytes. */
export const maxValueBytes = 16 * 1024 * 1024;
/** Deepest nesting that is kept. */
export const maxDepth = 200;
/** What an `AggregateError` and a `SuppressedError` collect; not enumerable. */
const nestedFields = ['errors', 'error', 'suppressed'];
/** In words of what is lost of a text. */
export const halfCharacter = 'half of a character (a lone surrogate)';
const previewBytes = 32;
/** The number of bytes that are searched for secrets before a preview is shown. */
const secretBytes = 4096;

export interface ConvertOptions {
  /** Replaces secrets in a string. */
  readonly redact?: (text: string) => string;
  /** The replacement for a number that is a secret. */
  readonly redactNumber?: ((value: number) => string | undefined) | undefined;
  /** True for names of properties whose values must not be stored. */
  readonly hidesField?: (name: string) => boolean;
  /** Largest JSON of the value, in bytes. Default 16 MiB. */
  readonly maxBytes?: number;
}

export interface Converted {
  readonly value: Json;
  /** True when something was cut because the value is too large. */
  readonly cut: boolean;
  /** True when something was replaced because it is a secret; absent for false. */
  readonly redacted?: true;
  /** What the JSON does not show, other than what was cut or is a secret; absent for nothing. */
  readonly losses?: readonly Loss[];
}

export interface ConvertedObject extends Converted {
  readonly value: JsonObject;
}

/**
 * Converts any value to JSON; never throws: BigInt → decimal string · Date → ISO string · Map → object, Set → array ·
 * Error → name, message, stack, cause and the errors that it collects · Buffer, ArrayBuffer and typed arrays → `{ "$bytes": n, "preview": hex of the first 32
 * }` · functions, symbols and promises → `<function name>` · NaN and ±Infinity → string · fields that are undefined are
 * left out, other undefined → null · RegExp → string · cycles → `<circular>` · depth over 200 → `<too deep>` · lone surrogates → U+FFFD · objects with `toJSON` →
 * what it returns · a getter that throws → `<threw …>`. Values over the size limit are cut, with a marker. What is lost
 * is told.
 */
export function convert(value: unknown, options: ConvertOptions = {}): Converted {
  if (isJsonAsItIs(value)) {
    const secret = typeof value === 'number' ? options.redactNumber?.(value) : undefined;
    return secret === undefined
      ? { value, cut: false }
      : { value: secret, cut: false, redacted: true };
  }
  if (isEmptyPlain(value)) return { value: {}, cut: false };
  const maxBytes = options.maxBytes ?? maxValueBytes;
  const conversion = new Conversion(maxBytes, options);
  const converted = conversion.convert(value, 0);
  const { cut, least, most } = conversion;
  const losses = conversion.losses.list();
  const noted = {
    ...(conversion.redacted && { redacted: true as const }),
    ...(losses !== undefined && { losses }),
  };
  if (most <= maxBytes) return { value: converted, cut, ...noted };
  // Longer text may exceed the maximum length of a string.
  const fits = least <= maxBytes && Buffer.byteLength(JSON.stringify(converted)) <= maxBytes;
  if (fits) return { value: converted, cut, ...noted };
  return { value: cutJson(converted, maxBytes), cut: true, ...noted };
}

function isJsonAsItIs(value: unknown): value is number | boolean | null {
  return Number.isFinite(value) || typeof value === 'boolean' || value === null;
}

/** {@link convert} for values that must be objects; anything else becomes `{ value }`. */
export function convertObject(value: unknown, options?: ConvertOptions): ConvertedObject {
  const converted = convert(value ?? {}, options);
  if (isObject(converted.value)) return { ...converted, value: converted.value };
  // Includes the frame, so that the result is within the limits.
  const framed = convert({ value }, options);
  return { ...framed, value: isObject(framed.value) ? framed.value : {} };
}

/** Longer lists are not searched for fields beside their items. */
const longestNamedList = 100;
/** Longer strings are not checked as field names. */
const longestName = 64;
/** Maximum length of a number in bytes. */
const longestNumber = 25;

class Conversion {
  cut = false;
  redacted = false;
  readonly losses = new Losses();
  /** Lower bound of the JSON size in bytes. */
  least = 0;
  readonly #budget: number;
  readonly #options: ConvertOptions;
  readonly #ancestors: object[] = [];
  /** The names on the way to the value that is converted, by depth; `undefined` where there is no name. */
  readonly #path: (PropertyKey | undefined)[] = [];
  /** By prototype. */
  readonly #getters = new Map<object, readonly PropertyKey[]>();
  #slack = 0;

  constructor(budget: number, options: ConvertOptions) {
    this.#budget = budget;
    this.#options = options;
  }

  /** Upper bound of the JSON size in bytes: escapes make text up to six times as long. */
  get most(): number {
    return this.least * 6 + this.#slack;
  }

  convert(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
        return this.#text(this.#wellFormed(value, depth));
      case 'number':
        return this.#number(value);
      case 'boolean':
        this.least += 4;
        return value;
      case 'undefined':
        this.least += 4;
        return null;
      case 'bigint':
        return this.#text(value.toString());
      case 'symbol':
        if (depth === 0) this.#noContent('a symbol', depth);
        return this.#text(`<symbol ${value.description ?? ''}>`);
      case 'function':
        // Inside an object, it is a method.
        if (depth === 0) this.#noContent('a function', depth);
        return this.#text(`<function ${nameOf(value)}>`);
      default:
        if (value === null) {
          this.least += 4;
          return null;
        }
        return this.#object(value as object, depth);
    }
  }

  #number(value: number): Json {
    if (!Number.isFinite(value)) return this.#text(String(value));
    const secret = this.#options.redactNumber?.(value);
    if (secret !== undefined) {
      this.redacted = true;
      return this.#text(secret);
    }
    this.least += 1;
    this.#slack += longestNumber;
    return value;
  }

  /** UTF-8 has no halves of characters. */
  #wellFormed(text: string, depth: number): string {
    if (text.isWellFormed()) return text;
    this.#loses('half characters', depth, (at) => `has ${halfCharacter}${at}, stored as U+FFFD`);
    return text.toWellFormed();
  }

  /** Keeps the whole text; it is cut later if the result is too large. */
  #text(text: string): string {
    let kept = text.isWellFormed() ? text : text.toWellFormed();
    if (this.#options.redact !== undefined) {
      const redacted = this.#options.redact(kept);
      if (redacted !== kept) this.redacted = true;
      kept = redacted;
    }
    this.least += kept.length + 2;
    return kept;
  }

  /** True when the size limit is reached; records the cut. */
  #isFull(): boolean {
    if (this.least < this.#budget) return false;
    this.cut = true;
    return true;
  }

  #object(value: object, depth: number): Json {
    if (depth >= maxDepth) {
      this.#loses(
        'nested too deep',
        depth,
        (at) => `is nested deeper than ${maxDepth}${at}: the rest is not stored`,
      );
      return this.#text('<too deep>');
    }
    if (this.#ancestors.includes(value)) {
      this.#loses('cycle', depth, (at) => `contains itself${at}, stored as "<circular>"`);
      return this.#text('<circular>');
    }
    this.#ancestors.push(value);
    try {
      if (isPlain(value)) return this.#fields(value, true, depth);
      return this.#known(value, depth) ?? this.#fields(value, false, depth);
    } catch (error) {
      this.#unread(depth);
      return this.#text(threw(error));
    } finally {
      this.#ancestors.pop();
    }
  }

  /** Converts objects that are not plain, such as dates and maps; `undefined` for others. */
  #known(value: object, depth: number): Json | undefined {
    if (Array.isArray(value)) return this.#array(value, depth);
    if (value instanceof Date) {
      const isValid = !Number.isNaN(value.getTime());
      return isValid
        ? this.#inner(undefined, value.toISOString(), depth)
        : this.#text('Invalid Date');
    }
    if (value instanceof Map) return this.#map(value, depth);
    if (value instanceof Set) return this.#list(value, depth);
    if (value instanceof Error) return this.#error(value, depth);
    if (isBytes(value)) return this.#bytes(value);
    if (value instanceof Promise) {
      this.#noContent('a promise', depth, ': is an await missing?');
      return this.#text('<promise>');
    }
    if (value instanceof RegExp) return this.#text(String(value));
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return this.#inner(undefined, value.valueOf(), depth);
    }
    return hasToJson(value) ? this.#inner(undefined, value.toJSON(), depth) : undefined;
  }

  /** A part of a value, under its name. */
  #inner(name: PropertyKey | undefined, value: unknown, depth: number): Json {
    this.#path[depth] = name;
    return this.convert(value, depth + 1);
  }

  #array(list: readonly unknown[], depth: number): Json {
    // The names of the items of a long list take more than its conversion.
    const names = list.length > longestNamedList ? [] : Object.keys(list);
    const others = names.slice(list.length);
    if (others.length > 0) {
      this.#loses('list fields', depth, (at) => {
        const named = namesText(others);
        return `has a list${at} with fields that are not stored: ${named}`;
      });
    }
    return this.#list(list, depth);
  }

  #list(items: Iterable<unknown>, depth: number): Json {
    const list: Json[] = [];
    this.least += 1;
    let before: unknown;
    for (const item of items) {
      if (this.#isFull()) {
        list.push(moreElements);
        break;
      }
      this.least += 1;
      // Headers as a list: ['authorization', '…'].
      list.push(this.#hides(before) ? this.#hidden() : this.#inner(list.length, item, depth));
      before = item;
    }
    return list;
  }

  #map(map: Map<unknown, unknown>, depth: number): Json {
    const fields: Record<string, Json> = {};
    this.least += 1;
    for (const [key, item] of map) {
      const name = typeof key === 'string' ? key : this.#nameOf(key, depth);
      if (!this.#put(fields, name, item, depth)) break;
    }
    return fields;
  }

  /** The JSON of a key; its size counts as that of a field name. */
  #nameOf(key: unknown, depth: number): string {
    const { least } = this;
    const name = JSON.stringify(this.#inner(undefined, key, depth));
    this.least = least;
    return name;
  }

  #error(error: Error, depth: number): Json {
    const fields: Record<string, Json> = {};
    this.least += 1;
    const hasCause = error.cause !== undefined;
    const nested = nestedFields.filter((key) => Object.hasOwn(error, key));
    const own = ['name', 'message', 'stack', ...(hasCause ? ['cause'] : []), ...nested];
    for (const key of new Set([...own, ...Object.keys(error)])) {
      if (!this.#put(fields, key, this.#read(error, key, depth), depth)) break;
    }
    return fields;
  }

  #bytes(value: ArrayBufferView | ArrayBufferLike): Json {
    const bytes = ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : Buffer.from(value);
    this.least += '{"$bytes":0,"preview":""}'.length;
    this.#slack += previewBytes * 2 + longestNumber;
    const preview = bytes.subarray(0, previewBytes).toString('hex');
    if (!this.#holdsSecret(bytes)) return { $bytes: bytes.length, preview };
    this.redacted = true;
    return { $bytes: bytes.length, preview: '[redacted]' };
  }

  #fields(source: object, plain: boolean, depth: number): Json {
    const fields: Record<string, Json> = {};
    this.least += 1;
    const keys = Object.keys(source);
    const hasSymbols = plain && this.#lookForSymbols(source, depth);
    if (!plain && keys.length > 0) this.#lookForGetters(source, depth);
    if (!hasSymbols && keys.length === 0 && hidesContent(source)) {
      this.#noContent(kindOf(source), depth, ', whose content cannot be stored');
    }
    // Headers as pairs: { name: 'authorization', value: '…' }.
    const isSecretPair =
      this.#options.hidesField !== undefined &&
      (this.#hides(readField(source, 'name')) || this.#hides(readField(source, 'key')));
    for (const key of keys) {
      const isHidden = isSecretPair && key === 'value';
      if (isHidden) this.redacted = true;
      const value = isHidden ? '[redacted]' : this.#read(source, key, depth);
      if (value !== undefined && !this.#put(fields, key, value, depth)) break;
    }
    return fields;
  }

  #lookForSymbols(source: object, depth: number): boolean {
    const symbols = Object.getOwnPropertySymbols(source);
    if (symbols.length === 0) return false;
    const named = symbols.filter((symbol) => isEnumerable(source, symbol));
    if (named.length === 0) return false;
    this.#loses('symbol', depth, (at) => {
      return `has fields${at} whose names are symbols and which are not stored: ${namesText(named)}`;
    });
    return true;
  }

  #lookForGetters(source: object, depth: number): void {
    const getters = this.#gettersOf(source);
    if (getters.length === 0) return;
    const hint = `, whose getters are not stored: ${namesText(getters)}`;
    this.#loses('getters', depth, (at) => `${isOrContains(depth)} ${kindOf(source)}${at}${hint}`);
  }

  #gettersOf(instance: object): readonly PropertyKey[] {
    const prototype: object = Object.getPrototypeOf(instance);
    const known = this.#getters.get(prototype);
    if (known !== undefined) return known;
    const { getters } = inheritedNames(instance);
    this.#getters.set(prototype, getters);
    return getters;
  }

  /** The value of a field, or a string with the error of its getter. */
  #read(source: object, key: string, depth: number): unknown {
    try {
      return (source as Record<string, unknown>)[key];
    } catch (error) {
      this.#path[depth] = key;
      this.#unread(depth + 1);
      return threw(error);
    }
  }

  #hidden(): string {
    this.redacted = true;
    return this.#text('[redacted]');
  }

  #unread(depth: number): void {
    this.#loses('unread', depth, (at) => `cannot be read${at}: only the error is stored`);
  }

  /** A part whose JSON shows nothing of its content. */
  #noContent(what: string, depth: number, more = ''): void {
    this.#loses('content', depth, (at) => `${isOrContains(depth)} ${what}${at}${more}`);
  }

  /** `text` gets the place in words, ` at .items[0]`; empty for the value itself. */
  #loses(kind: LossKind, depth: number, text: (at: string) => string): void {
    this.losses.add(kind, () => {
      const steps = this.#path.slice(0, depth).filter((step) => step !== undefined);
      return text(steps.length === 0 ? '' : ` at ${pathText(steps)}`);
    });
  }

  /** True for a field name whose value must not be stored. */
  #hides(name: unknown): boolean {
    if (typeof name !== 'string' || name.length > longestName) return false;
    return this.#options.hidesField?.(name) === true;
  }

  /** True when a secret begins within a preview or shortly after it. */
  #holdsSecret(bytes: Buffer): boolean {
    if (this.#options.redact === undefined) return false;
    const text = bytes.subarray(0, secretBytes).toString('utf8');
    return this.#options.redact(text) !== text;
  }

  /** Adds a field; false when the size limit is reached. */
  #put(fields: Record<string, Json>, key: string, value: unknown, depth: number): boolean {
    if (this.#isFull()) {
      fields[moreName] = moreFields;
      return false;
    }
    const item = this.#hides(key) ? this.#hidden() : this.#inner(key, value, depth);
    const name = this.#text(this.#wellFormed(key, depth));
    this.least += 2;
    if (Object.hasOwn(fields, name)) {
      this.#loses('equal keys', depth, (at) => {
        const shown = JSON.stringify(cutMiddle(name, longestName));
        return `has several keys${at} that are stored as ${shown}: only the last is kept`;
      });
    }
    if (name === '__proto__') define(fields, name, item);
    else fields[name] = item;
    return true;
  }
}

function isOrContains(depth: number): string {
  return depth === 0 ? 'is' : 'contains';
}

function isEnumerable(source: object, name: PropertyKey): boolean {
  return Object.prototype.propertyIsEnumerable.call(source, name);
}

function threw(error: unknown): string {
  return `<threw ${messageOf(error)}>`;
}

/** Sets a field such as `__proto__`, which an assignment would treat specially. */
function define(fields: Record<string, Json>, name: string, value: Json): void {
  Object.defineProperty(fields, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
