import type { Json } from './result.js';

/** The start of a value as one line of text. */
export interface Preview {
  /** At most the characters asked for; `null` for a value that is `null`. */
  readonly text: string | null;
  /** There was more. */
  readonly cut: boolean;
}

// Enough of a text to fill a preview even when much of it is blank.
const blankShare = 4;

/** A string as it is, anything else as compact JSON, on one line and cut to a number of characters. */
export function previewOf(value: Json, length: number): Preview {
  if (value === null) return { text: null, cut: false };
  const enough = length * blankShare;
  const text = typeof value === 'string' ? value : compactStart(value, enough);
  const line = oneLine(cutText(text, enough));
  if (line.length <= length) return { text: line, cut: text.length > enough };
  return { text: cutText(line, length), cut: true };
}

/** The first characters of a text, without half a character at the end. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return ownCopy(text.slice(0, isHalf ? length - 1 : length));
}

/** The same text. V8 makes the start of a text a view of all of it, which then stays in memory; this breaks the tie. */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}

/** Compact JSON of a value, or a start of it that is longer than `enough`: no more is written than is needed. */
function compactStart(value: Json, enough: number): string {
  const out = { text: '' };
  write(value, out, enough);
  return out.text;
}

function write(value: Json, out: { text: string }, enough: number): void {
  if (typeof value === 'string') {
    out.text += JSON.stringify(value.length > enough ? value.slice(0, enough) : value);
  } else if (value === null || typeof value !== 'object') {
    out.text += JSON.stringify(value);
  } else if (Array.isArray(value)) {
    writeItems(value, out, enough);
  } else {
    // Arrays are ruled out; the compiler does not know for readonly ones.
    writeFields(value as { readonly [key: string]: Json }, out, enough);
  }
}

function writeItems(items: readonly Json[], out: { text: string }, enough: number): void {
  out.text += '[';
  for (const [position, item] of items.entries()) {
    if (out.text.length > enough) return;
    if (position > 0) out.text += ',';
    write(item, out, enough);
  }
  out.text += ']';
}

function writeFields(
  fields: { readonly [key: string]: Json },
  out: { text: string },
  enough: number,
): void {
  let separator = '{';
  for (const key in fields) {
    if (out.text.length > enough) return;
    out.text += `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    write(fields[key] ?? null, out, enough);
  }
  out.text += separator === '{' ? '{}' : '}';
}

function oneLine(text: string): string {
  // Most texts are on one line already, and looking is much quicker than replacing.
  if (!lineBreak.test(text)) return text.trim();
  return text.replace(/\s+/g, (blank) => (lineBreak.test(blank) ? ' ' : blank)).trim();
}

const lineBreak = /[\n\r\v\f\u2028\u2029]/;
