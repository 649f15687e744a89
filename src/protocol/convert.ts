import type { Json, JsonObject } from '../model/result.js';

/** Largest JSON of one value, in bytes. */
export const maxValueBytes = 16 * 1024 * 1024;
/** Deepest nesting that is kept. */
export const maxDepth = 200;
const previewBytes = 32;

export interface ConvertOptions {
  /** Applied to every string; replaces secrets. */
  readonly redact?: (text: string) => string;
  /** True for property names whose value must not be kept. */
  readonly hidesField?: (name: string) => boolean;
  /** Largest JSON of the value, in bytes. Default 16 MiB. */
  readonly maxBytes?: number;
}

export interface Converted {
  readonly value: Json;
  /** True when something was left out because the value is too large. */
  readonly cut: boolean;
}

/**
 * Turns any value into one that JSON holds, by one rule, and never throws:
 * BigInt → decimal string · Date → ISO string · Map → object, Set → array · Error → name, message, stack ·
 * Buffer, ArrayBuffer and typed arrays → `{ "$bytes": n, "preview": hex of the first 32 }` · functions, symbols and
 * promises → `<function name>` · NaN and ±Infinity → string · undefined → null · RegExp → string · cycles → `<circular>` ·
 * depth over 200 → `<too deep>` · lone surrogates → U+FFFD · objects with `toJSON` → what it returns ·
 * a getter that throws → `<threw …>`. What exceeds the size is cut, with a marker that says so.
 */
export function convert(value: unknown, options: ConvertOptions = {}): Converted {
  if (isJsonAsItIs(value)) return { value, cut: false };
  const maxBytes = options.maxBytes ?? maxValueBytes;
  const first = new Conversion(maxBytes, options);
  const converted = first.convert(value, 0);
  // Escapes and UTF-8 can make the text up to six times as long as the characters that were counted.
  if (first.spent * 6 < maxBytes) return { value: converted, cut: first.cut };
  const bytes = Buffer.byteLength(JSON.stringify(converted));
  if (bytes <= maxBytes) return { value: converted, cut: first.cut };
  const smaller = new Conversion(Math.floor((maxBytes * first.spent) / bytes / 1.5), options);
  return { value: smaller.convert(value, 0), cut: true };
}

function isJsonAsItIs(value: unknown): value is number | boolean | null {
  return Number.isFinite(value) || typeof value === 'boolean' || value === null;
}

/** {@link convert} for values that must be objects; anything else becomes `{ value }`. */
export function convertObject(
  value: unknown,
  options?: ConvertOptions,
): { readonly value: JsonObject; readonly cut: boolean } {
  const { value: json, cut } = convert(value ?? {}, options);
  return { value: isJsonObject(json) ? json : { value: json }, cut };
}

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

class Conversion {
  spent = 0;
  cut = false;
  readonly #budget: number;
  readonly #options: ConvertOptions;
  readonly #ancestors: object[] = [];

  constructor(budget: number, options: ConvertOptions) {
    this.#budget = budget;
    this.#options = options;
  }

  convert(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
        return this.#text(value);
      case 'number':
        this.spent += 8;
        return Number.isFinite(value) ? value : String(value);
      case 'boolean':
        this.spent += 5;
        return value;
      case 'undefined':
        this.spent += 4;
        return null;
      case 'bigint':
        return this.#text(value.toString());
      case 'symbol':
        return this.#text(`<symbol ${value.description ?? ''}>`);
      case 'function':
        return this.#text(`<function ${nameOf(value)}>`);
      default:
        if (value === null) {
          this.spent += 4;
          return null;
        }
        return this.#object(value as object, depth);
    }
  }

  #text(text: string): string {
    let kept = text.isWellFormed() ? text : text.toWellFormed();
    if (this.#options.redact !== undefined) kept = this.#options.redact(kept);
    const left = Math.max(0, this.#budget - this.spent);
    if (kept.length > left) {
      this.cut = true;
      this.spent = this.#budget;
      return `${kept.slice(0, left).toWellFormed()}… [cut: ${text.length} characters]`;
    }
    this.spent += kept.length + 3;
    return kept;
  }

  #object(value: object, depth: number): Json {
    if (depth >= maxDepth) return this.#text('<too deep>');
    if (this.#ancestors.includes(value)) return this.#text('<circular>');
    this.#ancestors.push(value);
    try {
      return this.#known(value, depth) ?? this.#fields(Object.keys(value), value, depth);
    } catch (error) {
      return this.#text(`<threw ${messageOf(error)}>`);
    } finally {
      this.#ancestors.pop();
    }
  }

  /** Objects that are more than their own enumerable properties; undefined for the others. */
  #known(value: object, depth: number): Json | undefined {
    if (isPlain(value)) return undefined;
    if (Array.isArray(value)) return this.#list(value, depth);
    if (value instanceof Date) {
      return Number.isNaN(value.getTime()) ? this.#text('Invalid Date') : value.toISOString();
    }
    if (value instanceof Map) return this.#map(value, depth);
    if (value instanceof Set) return this.#list(value, depth);
    if (value instanceof Error) return this.#error(value, depth);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return this.#bytes(value);
    if (value instanceof Promise) return this.#text('<promise>');
    if (value instanceof RegExp) return this.#text(String(value));
    if (value instanceof String || value instanceof Number || value instanceof Boolean) {
      return this.convert(value.valueOf(), depth);
    }
    if ('toJSON' in value && typeof value.toJSON === 'function') {
      return this.convert(value.toJSON(), depth + 1);
    }
    return undefined;
  }

  #list(items: Iterable<unknown>, depth: number): Json {
    const list: Json[] = [];
    for (const item of items) {
      if (this.spent >= this.#budget) {
        this.cut = true;
        list.push('… [cut: more elements]');
        break;
      }
      this.spent += 1;
      list.push(this.convert(item, depth + 1));
    }
    return list;
  }

  #map(map: Map<unknown, unknown>, depth: number): Json {
    const named = new Map<string, unknown>();
    for (const [key, item] of map) {
      const name = typeof key === 'string' ? key : JSON.stringify(convert(key).value);
      named.set(name, item);
    }
    return this.#fields([...named.keys()], Object.fromEntries(named), depth);
  }

  #error(error: Error, depth: number): Json {
    const fields: Record<string, unknown> = {
      name: error.name,
      message: error.message,
      stack: error.stack,
    };
    if (error.cause !== undefined) fields.cause = error.cause;
    for (const key of Object.keys(error)) fields[key] = readField(error, key);
    return this.#fields(Object.keys(fields), fields, depth);
  }

  #bytes(value: ArrayBufferView | ArrayBuffer): Json {
    const bytes =
      value instanceof ArrayBuffer
        ? Buffer.from(value)
        : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    this.spent += previewBytes * 2 + 32;
    return { $bytes: bytes.length, preview: bytes.subarray(0, previewBytes).toString('hex') };
  }

  #fields(keys: readonly string[], source: object, depth: number): Json {
    const fields: Record<string, Json> = {};
    for (const key of keys) {
      if (this.spent >= this.#budget) {
        this.cut = true;
        fields['…'] = '[cut: more fields]';
        break;
      }
      const hidden = this.#options.hidesField?.(key) === true;
      const item = hidden ? '[redacted]' : this.convert(readField(source, key), depth + 1);
      const name = this.#text(key);
      if (name === '__proto__') {
        Object.defineProperty(fields, name, {
          value: item,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      } else {
        fields[name] = item;
      }
    }
    return fields;
  }
}

/** True for most objects there are. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}

function readField(source: object, key: string): unknown {
  try {
    return (source as Record<string, unknown>)[key];
  } catch (error) {
    return `<threw ${messageOf(error)}>`;
  }
}

function nameOf(value: { readonly name?: unknown }): string {
  try {
    return typeof value.name === 'string' && value.name !== '' ? value.name : 'anonymous';
  } catch {
    return 'anonymous';
  }
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  } catch {
    return 'something that cannot be shown';
  }
}
