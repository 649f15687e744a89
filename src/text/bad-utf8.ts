import { isUtf8 } from 'node:buffer';

const lineFeed = 10;

/** The first byte that is no UTF-8 text, in lines and characters from 1; `undefined` when all of it is. */
export function badByteAt(
  bytes: Uint8Array,
): { readonly line: number; readonly column: number } | undefined {
  // No character in UTF-8 holds the byte of a line feed, so lines can be tried one by one.
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found === -1 ? bytes.length : found + 1;
    const bad = bytes.subarray(start, end);
    if (!isUtf8(bad)) return { line, column: badColumn(bad) };
    start = end;
  }
  return undefined;
}

function badColumn(line: Uint8Array): number {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let read = '';
  try {
    for (const byte of line) read += decoder.decode(Uint8Array.of(byte), { stream: true });
  } catch {
    // What was read until then is all right.
  }
  return read.length + 1;
}
