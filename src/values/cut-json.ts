import type { Json, JsonObject } from '../model/result.js';

/** The marker for omitted list elements. */
export const moreElements = '… [cut: more elements]';
/** Name and value of the marker for omitted fields. */
export const [moreName, moreFields] = ['…', '[cut: more fields]'] as const;

/**
 * Cuts a value to a maximum number of bytes of JSON: keeps its beginning, with a marker wherever something is missing.
 * If not even a marker fits, the result is the marker.
 */
export function cutJson(value: Json, maxBytes: number): Json {
  return new Cutting(maxBytes).cut(value) ?? '… [cut]';
}

const listFrame = 2 + bytesOf(moreElements) + 1;
const fieldsFrame = 2 + bytesOf(moreName) + 1 + bytesOf(moreFields) + 1;

class Cutting {
  #left: number;
  /** True after the first part that did not fit: nothing more is kept. */
  #isFull = false;

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  /** The part of a value that is kept; `undefined` when not even a marker fits. */
  cut(value: Json): Json | undefined {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return this.#list(value);
    if (typeof value === 'object' && value !== null) return this.#fields(value as JsonObject); // lists were above
    return this.#take(bytesOf(value)) ? value : undefined;
  }

  #text(text: string): string | undefined {
    const { bytes } = beginning(text, this.#left - 2);
    if (bytes !== undefined) {
      this.#left -= bytes + 2;
      return text;
    }
    this.#isFull = true;
    const marker = `… [cut: ${text.length} characters]`;
    const room = this.#left - bytesOf(marker);
    if (room < 0) return undefined;
    this.#left = 0;
    return text.slice(0, beginning(text, room).length) + marker;
  }

  #list(items: readonly Json[]): Json | undefined {
    if (!this.#take(listFrame)) return undefined;
    const kept: Json[] = [];
    for (const item of items) {
      const one = this.#take(1) ? this.cut(item) : undefined;
      if (one !== undefined) kept.push(one);
      if (this.#isFull) break;
    }
    if (kept.length < items.length) kept.push(moreElements);
    else this.#left += listFrame - 2;
    return kept;
  }

  #fields(source: JsonObject): Json | undefined {
    if (!this.#take(fieldsFrame)) return undefined;
    const entries = Object.entries(source);
    const kept: [string, Json][] = [];
    for (const [name, item] of entries) {
      const one = this.#take(bytesOf(name) + 2) ? this.cut(item) : undefined;
      if (one !== undefined) kept.push([name, one]);
      if (this.#isFull) break;
    }
    if (kept.length < entries.length) kept.push([moreName, moreFields]);
    else this.#left += fieldsFrame - 2;
    return Object.fromEntries(kept);
  }

  #take(bytes: number): boolean {
    if (bytes > this.#left) this.#isFull = true;
    if (this.#isFull) return false;
    this.#left -= bytes;
    return true;
  }
}

/** The size of the JSON of a short value in bytes. */
function bytesOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** The part of a string that fits into a number of bytes of JSON, without quotes, and its size if all of it fits. */
function beginning(
  text: string,
  room: number,
): { readonly length: number; readonly bytes?: number } {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) as number; // `at` is inside the text
    bytes += bytesOfCharacter(code);
    if (bytes > room) return { length: at };
    at += code > 0xffff ? 2 : 1;
  }
  return bytes > room ? { length: 0 } : { length: text.length, bytes };
}

const quote = 0x22;
const backslash = 0x5c;
/** The control characters that JSON escapes with a letter. */
const lettered = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

function bytesOfCharacter(code: number): number {
  if (code < 0x20) return lettered.has(code) ? 2 : 6;
  if (code < 0x80) return code === quote || code === backslash ? 2 : 1;
  if (code < 0x800) return 2;
  return code > 0xffff ? 4 : 3;
}
