import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { parseJson } from '../../model/json.js';
import type { Json } from '../../model/result.js';
import type { RecordedBody, RecordedPart } from '../../recordings/recording.js';
import { BodyCapture } from '../calls/body-capture.js';

/** Removes secrets from recordings. */
export interface BodySanitizer {
  callText(value: Json): Json;
}

/** A whole body as recordings keep it, without secrets; `undefined` for an empty one, and a missing one. */
export function toRecordedBody(
  body: BodyCapture,
  sanitizer: BodySanitizer,
): RecordedBody | undefined {
  const json = body.json();
  if (json !== undefined) return { json: sanitizer.callText(json) };
  const bytes = body.bytes();
  if (bytes.length === 0) return undefined;
  const parts = partsOf(bytes);
  if (parts !== undefined) return { parts: parts.map((part) => toPart(part, sanitizer)) };
  const text = utf8Text(bytes);
  if (text !== undefined) return { text: cleanText(text, sanitizer) };
  return binaryBody([bytes], sanitizer) ?? { text: hashOf(bytes) };
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
  const json = parseJson(text);
  // Numbers may be longer than they are read, and some answers are indented.
  if (json !== undefined && JSON.stringify(json) === text) {
    return { json: sanitizer.callText(json) };
  }
  return { text: cleanText(text, sanitizer) };
}

const encoder = new TextEncoder();

/** The chunks of a recorded answer, each in memory of its own, which may be given away. */
export function toChunks(body: RecordedBody | undefined): Uint8Array[] {
  const [texts, base64] = contentOf(body);
  return [
    ...texts.map((text) => encoder.encode(text)),
    ...base64.map((text) => Uint8Array.from(Buffer.from(text, 'base64'))),
  ].filter(({ length }) => length > 0);
}

/** What a body holds: texts, or Base64. */
function contentOf(body: RecordedBody | undefined): [readonly string[], readonly string[]] {
  if (body === undefined) return [[], []];
  if ('json' in body) return [[JSON.stringify(body.json)], []];
  if ('text' in body) return [[body.text], []];
  if ('base64' in body) return [[], [body.base64]];
  if ('chunks' in body) return [body.chunks, []];
  return [[], 'base64_chunks' in body ? body.base64_chunks : []];
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
  return isUtf8(bytes)
    ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
    : undefined;
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
  const capture = new BodyCapture();
  capture.add(content);
  const body = toRecordedBody(capture, sanitizer) ?? { text: '' };
  return { headers: cleanText(headers, sanitizer), body };
}
