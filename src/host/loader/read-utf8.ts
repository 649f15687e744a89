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

/** Extensions that are never code. Node's `require()` runs files with an unknown extension as JavaScript. */
const textFiles =
  /\.(?:txt|text|md|mdx|markdown|prompt|rst|adoc|html?|xml|svg|css|csv|tsv|jsonl|ya?ml|toml|ini|sql|graphql|gql|hbs|mustache|liquid|njk|j2|jinja2?|tmpl|tpl|vtt|srt|log)$/i;

/** Throws the error of an import, for text that `require()` would run as JavaScript. */
export function refuseText(file: string): void {
  const [extension] = textFiles.exec(file) ?? [];
  if (extension === undefined) return;
  const error = new TypeError(`Unknown file extension "${extension}" for ${file}`);
  throw Object.assign(error, { code: 'ERR_UNKNOWN_FILE_EXTENSION' });
}
