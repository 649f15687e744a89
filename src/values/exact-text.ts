import { isSameJson, type Json } from '../model/json.js';
import { maxDepth, maxValueBytes } from './convert.js';
import { isBytes, isPlain } from './inspect-value.js';

/**
 * A text that two values share only if user code cannot tell them apart; `undefined` if there is no such text, as for
 * functions, instances of classes and values above the limit of stored values. Never throws.
 */
export function exactText(value: unknown): string | undefined {
  try {
    const text = new ExactText();
    return text.write(value) ? text.parts.join('') : undefined;
  } catch {
    return undefined;
  }
}

/** True for a value that code cannot tell apart from `json`, as which it was stored. Never throws. */
export function isExactJson(value: unknown, json: Json): boolean {
  try {
    // A value may have other properties each time.
    return (
      isJson(value, { seen: new Set(), depth: 0, left: maxValueBytes }) && isSameJson(value, json)
    );
  } catch {
    return false;
  }
}

/** What each value within a value counts: one may be made of few objects that it has any number of times. */
const nodeBytes = 64;

class ExactText {
  readonly parts: string[] = [];
  #left = maxValueBytes;
  readonly #ancestors: object[] = [];

  /** False if the value has no exact text. */
  write(value: unknown): boolean {
    switch (typeof value) {
      case 'string':
        return value.length <= this.#left && this.#add(JSON.stringify(value));
      case 'number':
        return this.#add(Object.is(value, -0) ? '-0' : String(value));
      case 'boolean':
      case 'undefined':
        return this.#add(String(value));
      case 'bigint':
        return this.#add(`${value}n`);
      case 'object':
        return value === null ? this.#add('null') : this.#writeObject(value);
      default:
        return false;
    }
  }

  #add(text: string): boolean {
    this.parts.push(text);
    this.#left -= text.length + nodeBytes;
    return this.#left >= 0;
  }

  #writeObject(value: object): boolean {
    if (this.#ancestors.includes(value) || this.#ancestors.length > maxDepth) return false;
    this.#ancestors.push(value);
    const isWritten = this.#writeKnown(value);
    this.#ancestors.pop();
    return isWritten;
  }

  #writeKnown(value: object): boolean {
    if (Array.isArray(value)) {
      this.parts.push('[');
      for (let at = 0; at < value.length; at += 1) {
        if (!this.write(value[at])) return false;
        this.parts.push(',');
      }
      return Object.keys(value).length === value.length && this.#add(']');
    }
    if (isPlain(value) && Object.getPrototypeOf(value) !== null) {
      if (Object.getOwnPropertySymbols(value).length > 0) return false;
      this.parts.push('{');
      // The order of keys counts: a prompt may be made of them.
      for (const key of Object.keys(value)) {
        if (!this.write(key)) return false;
        this.parts.push(':');
        if (!this.write((value as Record<string, unknown>)[key])) return false;
        this.parts.push(',');
      }
      return this.#add('}');
    }
    const { constructor: made } = value;
    if (made === Date) return this.#writeTagged('Date', Date.prototype.getTime.call(value));
    if (made === Map) return this.#writeTagged('Map', [...Map.prototype.entries.call(value)]);
    if (made === Set) return this.#writeTagged('Set', [...Set.prototype.values.call(value)]);
    if (made === RegExp) return this.#writeTagged('RegExp', String(value));
    if (made === URL) return this.#writeTagged('URL', (value as URL).href);
    if (isBytes(value) && ArrayBuffer.isView(value) && value.byteLength <= this.#left) {
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      return this.#writeTagged(made.name, bytes.toString('base64'));
    }
    return false;
  }

  #writeTagged(tag: string, value: unknown): boolean {
    this.parts.push('<', tag, ' ');
    return this.write(value) && this.#add('>');
  }
}

interface Look {
  /** A copy has no object twice. */
  readonly seen: Set<object>;
  depth: number;
  left: number;
}

function isJson(value: unknown, look: Look): value is Json {
  look.left -= nodeBytes;
  if (look.left < 0) return false;
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'boolean':
      return true;
    case 'object':
      return value === null || isJsonObject(value, look);
    default:
      return false;
  }
}

function isJsonObject(value: object, look: Look): boolean {
  if (look.seen.has(value) || look.depth > maxDepth) return false;
  const isList = Array.isArray(value);
  // Code can tell an object without a prototype from what is read from JSON.
  if (!isList && (!isPlain(value) || Object.getPrototypeOf(value) === null)) return false;
  if (isList && Object.getPrototypeOf(value) !== Array.prototype) return false;
  if (!Object.isExtensible(value)) return false;
  const properties = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
  if (Object.getOwnPropertySymbols(properties).length > 0) return false;
  const keys = Object.keys(properties).filter((key) => !isList || key !== 'length');
  if (isList && keys.length !== value.length) return false;
  look.seen.add(value);
  look.depth += 1;
  const isExact = keys.every((key) => {
    const property = properties[key];
    return key !== '__proto__' && isOrdinary(property) && isJson(property?.value, look);
  });
  look.depth -= 1;
  return isExact;
}

function isOrdinary(property: PropertyDescriptor | undefined): boolean {
  return (
    property?.writable === true && property.enumerable === true && property.configurable === true
  );
}
