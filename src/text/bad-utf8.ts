import { isUtf8 } from 'node:buffer';

const lineFeed = 10;

/**
 * The position of the first byte that is not UTF-8, in lines and characters from 1; `undefined` if all of it is
 * valid.
 */
export function badByteAt(
  bytes: Uint8Array,
): { readonly line: number; readonly column: number } | undefined {
  // No UTF-8 sequence contains the byte of a line feed, so lines can be checked separately.
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
    // Everything before this byte is valid.
  }
  return read.length + 1;
}
