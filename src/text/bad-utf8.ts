import { isUtf8 } from 'node:buffer';

const lineFeed = 10;

/** Why bytes are no text, and the place of the first wrong byte: lines and characters from 1. */
export interface NoText {
  /** The end of a sentence about the file. */
  readonly reason: string;
  readonly line: number;
  readonly column: number;
}

/** Why bytes cannot be read as UTF-8 text; `undefined` if they can. */
export function whyNoText(bytes: Uint8Array): NoText | undefined {
  if (!isUtf8(bytes)) return { reason: 'it is not UTF-8 text', ...badByteAt(bytes) };
  const at = bytes.indexOf(0);
  if (at === -1) return undefined;
  // UTF-16 without a byte order mark, among others, is valid UTF-8.
  const before = Buffer.from(bytes.buffer, bytes.byteOffset, at).toString().split('\n');
  return {
    reason: 'it contains a NUL character, as UTF-16 text does',
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
  };
}

/** The position of the first byte that is not UTF-8. */
function badByteAt(bytes: Uint8Array): { readonly line: number; readonly column: number } {
  // No UTF-8 sequence contains the byte of a line feed, so lines can be checked separately.
  for (let start = 0, line = 1; ; line += 1) {
    const found = bytes.indexOf(lineFeed, start);
    const end = found === -1 ? bytes.length : found + 1;
    const bad = bytes.subarray(start, end);
    if (!isUtf8(bad) || found === -1) return { line, column: badColumn(bad) };
    start = end;
  }
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
