import type { Json } from './result.js';

/** The start of a value as one line of text. */
export interface Preview {
  /** At most `length` characters; `null` for a value that is `null`. */
  readonly text: string | null;
  /** True when the value is longer. */
  readonly cut: boolean;
}

// Enough text to fill a preview even if much of it is blank.
const blankShare = 4;

/** Renders a value on one line, cut to `length` characters: a string as it is, anything else as compact JSON. */
export function previewOf(value: Json, length: number): Preview {
  if (value === null) return { text: null, cut: false };
  const enough = length * blankShare;
  const text = typeof value === 'string' ? value : compactStart(value, enough);
  const line = oneLine(cutText(text, enough));
  if (line.length <= length) return { text: line, cut: text.length > enough };
  return { text: cutText(line, length), cut: true };
}

/** The first characters of a text, without half a surrogate pair at the end. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff;
  return ownCopy(text.slice(0, isHalf ? length - 1 : length));
}

/** A copy of the text. V8 represents a substring as a view of the whole text, which would keep all of it in memory. */
function ownCopy(text: string): string {
  return ` ${text}`.slice(1);
}

/** Compact JSON of a value, or its beginning, longer than `enough`; stops writing after that. */
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
    // Not an array here, but the compiler cannot narrow readonly arrays.
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
  // Most texts have no line break, and testing is much quicker than replacing.
  if (!lineBreak.test(text)) return text.trim();
  return text.replace(/\s+/g, (blank) => (lineBreak.test(blank) ? ' ' : blank)).trim();
}

const lineBreak = /[\n\r\v\f\u2028\u2029]/;
