import { types } from 'node:util';
import { isSameJson, type Json } from '../model/json.js';
import { maxDepth, maxValueBytes } from './convert.js';
import { isBytes, isEmptyPlain, isPlain } from './inspect-value.js';

/**
 * A text that two values share only if user code cannot tell them apart; `undefined` if there is no such text, as for
 * functions, proxies, instances of classes, hidden properties, getters and values above the limit of stored values. Never
 * throws.
 */
export function exactText(value: unknown): string | undefined {
  try {
    return write(value, { left: maxValueBytes, ancestors: [], seen: new Map() });
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

/** What is left of the limit, and the objects around the value that is written. */
interface Writing {
  left: number;
  readonly ancestors: object[];
  /** In their order. */
  readonly seen: Map<object, number>;
}

/** `undefined` if the value has no exact text. */
function write(value: unknown, writing: Writing): string | undefined {
  switch (typeof value) {
    case 'string':
      return value.length <= writing.left ? counted(JSON.stringify(value), writing) : undefined;
    case 'number':
      return counted(Object.is(value, -0) ? '-0' : String(value), writing);
    case 'boolean':
    case 'undefined':
      return counted(String(value), writing);
    case 'bigint':
      return counted(`${value}n`, writing);
    case 'object':
      return value === null ? counted('null', writing) : writeObject(value, writing);
    default:
      return undefined;
  }
}

function counted(text: string, writing: Writing): string | undefined {
  writing.left -= text.length + nodeBytes;
  return writing.left >= 0 ? text : undefined;
}

function writeObject(value: object, writing: Writing): string | undefined {
  const { ancestors, seen } = writing;
  if (types.isProxy(value)) return undefined;
  if (ancestors.includes(value) || ancestors.length > maxDepth) return undefined;
  // Code can tell the same object from an equal one.
  const before = seen.get(value);
  if (before === undefined) seen.set(value, seen.size);
  ancestors.push(value);
  const text = Array.isArray(value) ? writeList(value, writing) : writeKnown(value, writing);
  ancestors.pop();
  return before === undefined || text === undefined ? text : `#${before} ${text}`;
}

function writeList(value: readonly unknown[], writing: Writing): string | undefined {
  let text = '[';
  for (let at = 0; at < value.length; at += 1) {
    const item = writeField(value, at, writing);
    if (item === undefined) return undefined;
    text += `${item},`;
  }
  if (Reflect.ownKeys(value).length !== value.length + 1) return undefined;
  const length = Object.getOwnPropertyDescriptor(value, 'length');
  const end = `]${length?.writable === true ? '' : fixedMark}${marksOf(value)}`;
  return counted(end, writing) && `${text}${end}`;
}

function writeKnown(value: object, writing: Writing): string | undefined {
  if (isPlain(value)) return writePlain(value, writing);
  const { constructor: made } = value;
  const usual = made === RegExp ? 1 : 0;
  if (!isBytes(value) && Reflect.ownKeys(value).length !== usual) return undefined;
  const tagged = (tag: string, content: unknown) => {
    const text = write(content, writing);
    return text && counted('>', writing) && `<${tag} ${text}>${marksOf(value)}`;
  };
  if (made === Date) return tagged('Date', Date.prototype.getTime.call(value));
  if (made === Map) return tagged('Map', [...Map.prototype.entries.call(value)]);
  if (made === Set) return tagged('Set', [...Set.prototype.values.call(value)]);
  if (made === RegExp) return tagged('RegExp', String(value));
  if (made === URL) return tagged('URL', (value as URL).href);
  if (isBytes(value) && ArrayBuffer.isView(value) && value.byteLength <= writing.left) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return tagged(made.name, bytes.toString('base64'));
  }
  return undefined;
}

function writePlain(value: object, writing: Writing): string | undefined {
  let text = '{';
  // The order of keys counts: a prompt may be made of them.
  for (const key of Reflect.ownKeys(value)) {
    const name = typeof key === 'string' ? write(key, writing) : undefined;
    const field = name && writeField(value, key, writing);
    if (field === undefined) return undefined;
    text += `${name}:${field},`;
  }
  const end = `}${Object.getPrototypeOf(value) === null ? bareMark : ''}${marksOf(value)}`;
  return counted(end, writing) && `${text}${end}`;
}

/** Without the methods of objects. */
const bareMark = '~';

const closedMark = '!';
const fixedMark = '=';

/** What nobody can add properties to. */
function marksOf(value: object): string {
  return Object.isExtensible(value) ? '' : closedMark;
}

/** A value that code can set or remove, or not; `undefined` for a hidden one, and for a getter. */
function writeField(value: object, key: PropertyKey, writing: Writing): string | undefined {
  const property = Object.getOwnPropertyDescriptor(value, key);
  if (property?.enumerable !== true || !('value' in property)) return undefined;
  const text = write(property.value, writing);
  return text && (isOrdinary(property) ? text : `${text}${fixedMark}`);
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
  if (look.seen.has(value) || look.depth > maxDepth || types.isProxy(value)) return false;
  const isList = Array.isArray(value);
  // Code can tell an object without a prototype from what is read from JSON.
  if (!isList && (!isPlain(value) || Object.getPrototypeOf(value) === null)) return false;
  if (isList && Object.getPrototypeOf(value) !== Array.prototype) return false;
  if (!Object.isExtensible(value)) return false;
  look.seen.add(value);
  // As most metadata is.
  if (!isList && isEmptyPlain(value)) return true;
  const properties = Object.getOwnPropertyDescriptors(value) as Record<string, PropertyDescriptor>;
  if (Object.getOwnPropertySymbols(properties).length > 0) return false;
  const keys = Object.keys(properties).filter((key) => !isList || key !== 'length');
  if (isList && (keys.length !== value.length || properties.length?.writable !== true))
    return false;
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
