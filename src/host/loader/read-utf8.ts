import { readFileSync } from 'node:fs';
import { whyNoText } from '../../text/bad-utf8.js';

/**
 * The text of a file without its byte order mark; `onRead` gets it with its mark. Throws a `SyntaxError` with the place
 * of the first byte that is not UTF-8: what replaces such bytes would reach models unseen.
 */
export function readUtf8(file: string, onRead?: (text: string) => void): string {
  const bytes = readFileSync(file);
  const bad = whyNoText(bytes);
  if (bad === undefined) {
    const text = bytes.toString();
    onRead?.(text);
    return text.replace(/^\uFEFF/, '');
  }
  const place = `${file}:${bad.line}:${bad.column}`;
  const error = new SyntaxError(`${place}: ${bad.reason}; save it as UTF-8`);
  error.stack = `SyntaxError: ${error.message}\n    at ${place}`;
  throw error;
}
