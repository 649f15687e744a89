import { isBytes, isPlain } from './inspect-value.js';

/**
 * A text that two values share only if user code cannot tell them apart; `undefined` if there is no such text, as for
 * functions and instances of classes. Never throws.
 */
export function exactText(value: unknown): string | undefined {
  try {
    const parts: string[] = [];
    return write(value, parts, []) ? parts.join('') : undefined;
  } catch {
    return undefined;
  }
}

/** True for a value that is the same after it has been JSON. Never throws. */
export function isExactJson(value: unknown): boolean {
  try {
    return isJson(value, []);
  } catch {
    return false;
  }
}

function write(value: unknown, parts: string[], ancestors: object[]): boolean {
  switch (typeof value) {
    case 'string':
      parts.push(JSON.stringify(value));
      return true;
    case 'number':
      parts.push(Object.is(value, -0) ? '-0' : String(value));
      return true;
    case 'boolean':
    case 'undefined':
      parts.push(String(value));
      return true;
    case 'bigint':
      parts.push(`${value}n`);
      return true;
    case 'object':
      return value === null ? parts.push('null') > 0 : writeObject(value, parts, ancestors);
    default:
      return false;
  }
}

function writeObject(value: object, parts: string[], ancestors: object[]): boolean {
  if (ancestors.includes(value) || ancestors.length > 200) return false;
  ancestors.push(value);
  const isWritten = writeKnown(value, parts, ancestors);
  ancestors.pop();
  return isWritten;
}

function writeKnown(value: object, parts: string[], ancestors: object[]): boolean {
  if (Array.isArray(value)) {
    parts.push('[');
    for (const item of value) {
      if (!write(item, parts, ancestors)) return false;
      parts.push(',');
    }
    parts.push(']');
    return Object.keys(value).length === value.length;
  }
  if (isPlain(value)) {
    if (Object.getOwnPropertySymbols(value).length > 0) return false;
    parts.push('{');
    // The order of keys counts: a prompt may be made of them.
    for (const key of Object.keys(value)) {
      parts.push(JSON.stringify(key), ':');
      if (!write((value as Record<string, unknown>)[key], parts, ancestors)) return false;
      parts.push(',');
    }
    parts.push('}');
    return true;
  }
  const { constructor: made } = value;
  if (made === Date) return tagged('Date', (value as Date).getTime(), parts, ancestors);
  if (made === Map) return tagged('Map', [...(value as Map<unknown, unknown>)], parts, ancestors);
  if (made === Set) return tagged('Set', [...(value as Set<unknown>)], parts, ancestors);
  if (made === RegExp) return tagged('RegExp', String(value), parts, ancestors);
  if (made === URL) return tagged('URL', (value as URL).href, parts, ancestors);
  if (isBytes(value) && ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    return tagged(made.name, bytes.toString('base64'), parts, ancestors);
  }
  return false;
}

function tagged(tag: string, value: unknown, parts: string[], ancestors: object[]): boolean {
  parts.push('<', tag, ' ');
  const isWritten = write(value, parts, ancestors);
  parts.push('>');
  return isWritten;
}

function isJson(value: unknown, ancestors: object[]): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed();
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'boolean':
      return true;
    case 'object':
      return value === null || isJsonObject(value, ancestors);
    default:
      return false;
  }
}

function isJsonObject(value: object, ancestors: object[]): boolean {
  if (ancestors.includes(value) || ancestors.length > 200) return false;
  const isList = Array.isArray(value);
  if (!isList && !isPlain(value)) return false;
  if (Object.getOwnPropertySymbols(value).length > 0) return false;
  const keys = Object.keys(value);
  if (isList && (Object.getPrototypeOf(value) !== Array.prototype || keys.length !== value.length))
    return false;
  ancestors.push(value);
  const isExact = keys.every(
    (key) => key !== '__proto__' && isJson((value as Record<string, unknown>)[key], ancestors),
  );
  ancestors.pop();
  return isExact;
}
