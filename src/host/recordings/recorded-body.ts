import { createHash } from 'node:crypto';
import type { Json } from '../../model/result.js';
import type { RecordedBody, RecordedPart } from '../../recordings/recording.js';

/** Removes secrets from recordings. */
export interface BodySanitizer {
  callText(value: Json): Json;
}

/** A whole body as recordings keep it, without secrets; `undefined` for an empty one. */
export function toRecordedBody(
  bytes: Uint8Array,
  sanitizer: BodySanitizer,
): RecordedBody | undefined {
  if (bytes.length === 0) return undefined;
  const text = utf8Text(bytes);
  const parts = partsOf(bytes);
  if (parts !== undefined) return { parts: parts.map((part) => toPart(part, sanitizer)) };
  if (text === undefined) return binaryBody([bytes], sanitizer) ?? { text: hashOf(bytes) };
  const json = jsonOf(text);
  return json === undefined
    ? { text: cleanText(text, sanitizer) }
    : { json: sanitizer.callText(json.value) };
}

/** The answer of a stream with its chunks; `undefined` if it contains a secret that cannot be removed. */
export function toRecordedStream(
  chunks: readonly Uint8Array[],
  sanitizer: BodySanitizer,
): RecordedBody | undefined {
  const texts = chunkTexts(chunks);
  if (texts === undefined) return binaryBody(chunks, sanitizer);
  const whole = texts.join('');
  const clean = cleanText(whole, sanitizer);
  // A secret may be spread over chunks.
  return { chunks: clean === whole ? texts : clean.split(/(?<=\n\n|\r\n\r\n)/) };
}

/** An answer that is not a stream, unchanged except for secrets. */
export function toRecordedAnswer(
  bytes: Uint8Array,
  sanitizer: BodySanitizer,
): RecordedBody | undefined {
  const text = utf8Text(bytes);
  if (text === undefined) return binaryBody([bytes], sanitizer);
  const json = jsonOf(text);
  // Numbers may be longer than they are read, and some answers are indented.
  if (json !== undefined && JSON.stringify(json.value) === text) {
    return { json: sanitizer.callText(json.value) };
  }
  return { text: cleanText(text, sanitizer) };
}

/** The chunks of a recorded answer. */
export function toChunks(body: RecordedBody | undefined): Uint8Array[] {
  if (body === undefined) return [];
  if ('json' in body) return [Buffer.from(JSON.stringify(body.json))];
  if ('text' in body) return [Buffer.from(body.text)];
  if ('base64' in body) return [Buffer.from(body.base64, 'base64')];
  if ('chunks' in body) return body.chunks.map((chunk) => Buffer.from(chunk));
  if ('base64_chunks' in body) {
    return body.base64_chunks.map((chunk) => Buffer.from(chunk, 'base64'));
  }
  return [];
}

/** Binary content cannot be cleaned: content with a secret is not kept. */
function binaryBody(
  chunks: readonly Uint8Array[],
  sanitizer: BodySanitizer,
): RecordedBody | undefined {
  const text = Buffer.concat(chunks).toString('latin1');
  if (cleanText(text, sanitizer) !== text) return undefined;
  const encoded = chunks.map((chunk) => Buffer.from(chunk).toString('base64'));
  const [only = ''] = encoded;
  return encoded.length === 1 ? { base64: only } : { base64_chunks: encoded };
}

/** Stands for a binary request with a secret, which cannot be taken out. */
function hashOf(bytes: Uint8Array): string {
  return `sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
}

/** `callText` makes text of text. */
function cleanText(text: string, sanitizer: BodySanitizer): string {
  return String(sanitizer.callText(text));
}

function utf8Text(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The texts of chunks, which may end within a character. */
function chunkTexts(chunks: readonly Uint8Array[]): string[] | undefined {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const texts = chunks.map((chunk) => decoder.decode(chunk, { stream: true }));
    decoder.decode();
    return texts.filter((text) => text !== '');
  } catch {
    return undefined;
  }
}

function jsonOf(text: string): { readonly value: Json } | undefined {
  const first = text.trimStart()[0] ?? '';
  if (!'{["-0123456789tfn'.includes(first)) return undefined;
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}

interface Part {
  readonly headers: string;
  readonly content: Uint8Array;
}

/** The parts of a `multipart` body, whose boundary changes with each request. */
function partsOf(bytes: Uint8Array): Part[] | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] !== 0x2d || buffer[1] !== 0x2d) return undefined;
  const end = buffer.indexOf('\r\n');
  if (end < 3 || end > 200) return undefined;
  const boundary = buffer.toString('latin1', 0, end);
  const parts: Part[] = [];
  let at = end + 2;
  for (;;) {
    const next = buffer.indexOf(`\r\n${boundary}`, at, 'latin1');
    const headEnd = buffer.indexOf('\r\n\r\n', at, 'latin1');
    if (next === -1 || headEnd === -1 || headEnd > next) return undefined;
    parts.push({
      headers: buffer.toString('utf8', at, headEnd),
      content: buffer.subarray(headEnd + 4, next),
    });
    at = next + 2 + boundary.length;
    if (buffer.toString('latin1', at, at + 2) === '--') return parts;
    at += 2;
  }
}

function toPart({ headers, content }: Part, sanitizer: BodySanitizer): RecordedPart {
  const body = toRecordedBody(content, sanitizer) ?? { text: '' };
  return { headers: cleanText(headers, sanitizer), body };
}
