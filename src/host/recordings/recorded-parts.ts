import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { ModelExchange } from '../../model/calls/model-call.js';
import { parseJson } from '../../model/json.js';
import type { Json } from '../../model/result.js';
import type {
  FailedAttempt,
  RecordedBody,
  RecordedPart,
  RecordedResponse,
} from '../../recordings/recording.js';
import { noKey } from '../../recordings/recording-files.js';
import { isLoopbackName } from '../../text/loopback.js';
import { parsedUrl } from '../../text/parsed-url.js';
import { shortHash } from '../../text/short-hash.js';
import { BodyCapture } from '../calls/body-capture.js';
import { isHarmlessQuery } from '../calls/stored-parts.js';

/** `undefined` for an answer that cannot be stored, and without an answer. */
export function toRecordedResponse(
  { status, headers, url, chunks, size, exchange }: ObservedAnswer,
  requestUrl: string,
  sanitizer: BodySanitizer,
): RecordedResponse | undefined {
  if (status === undefined || chunks === undefined) return undefined;
  const head = {
    ...(url !== undefined && { url: toFinalUrl(url, requestUrl, sanitizer) }),
    ...{ status, headers: recordedHeaders(headers, sanitizer) },
  };
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return head;
  const isStream = exchange?.stream === true || /event-stream/.test(headers['content-type'] ?? '');
  const body = isStream ? toRecordedStream(chunks, sanitizer) : toRecordedAnswer(bytes, sanitizer);
  if (body === undefined) return undefined;
  const isAsItCame = toChunks(body).reduce((sum, chunk) => sum + chunk.length, 0) === size;
  return { ...head, body, ...(!isAsItCame && { size }) };
}

/** The address after redirects; relative if it is on the server of the request, whose port may change. */
function toFinalUrl(url: string, requestUrl: string, sanitizer: BodySanitizer): string {
  const clean = toRecordedUrl(url, sanitizer, true);
  const [, server, path = ''] = /^(\w+:\/\/[^/]+)(\/(?!\/).*)$/.exec(clean) ?? [];
  return server !== undefined && requestUrl.startsWith(`${server}/`) ? path : clean;
}

export function toFailedAttempt(answer: ObservedAnswer, sanitizer: BodySanitizer): FailedAttempt {
  const { isComplete, hasEnded, error } = answer;
  const response = toRecordedResponse({ ...answer, url: undefined }, '', sanitizer);
  return {
    ...(response && { response }),
    ...(error !== undefined && { error: cleanText(error, sanitizer) }),
    ...(error === undefined && !isComplete && { end: hasEnded ? 'left' : 'unread' }),
  };
}

/** Statuses that are not about the request: a wrong key, a provider that is busy or broken. */
const passing = new Set([401, 403, 407, 408, 409, 425, 429]);

/** True for an answer that is not worth keeping, whatever else comes of it. */
export function hasFailed({ status = 200 }: Pick<ObservedAnswer, 'status'>): boolean {
  return status < 200 || status >= 500 || passing.has(status);
}

/** True for an answer that is worth keeping: it came to its end, and would be the same again. */
export function isWhole(answer: ObservedAnswer): boolean {
  const { status, isComplete, exchange } = answer;
  if (status === undefined || hasFailed(answer)) return false;
  // An error in an answer of status 200.
  if (status < 400 && exchange?.error !== undefined) return false;
  if (exchange?.stream === true) return exchange.cut !== true;
  return isComplete;
}

/** Headers that code may read, without secrets and without those that differ from answer to answer. */
function recordedHeaders(
  headers: Readonly<Record<string, string>>,
  sanitizer: BodySanitizer,
): Record<string, string> {
  const { location, ...others } = headers;
  const kept = Object.entries(others).filter(
    ([name]) => ofBedrock.test(name) || !(secret.test(name) || ofOneAnswer.test(name)),
  );
  const clean = kept.map(([name, value]) => [name, cleanText(value, sanitizer)]);
  return {
    ...Object.fromEntries(clean),
    ...(location !== undefined && { location: toRecordedUrl(location, sanitizer, true) }),
  };
}

/** Its names have words of secrets. */
const ofBedrock = /^x-amzn-(?:errortype$|bedrock-)/;

/** Headers that hold secrets, or say whose key it was. */
const secret =
  /auth|cookie|credential|csrf|xsrf|jwt|key|nonce|password|secret|session|signature|token|account|organization|project|security-policy|report/;

/** Headers of the connection and the compression, and those that differ from answer to answer: ids, times, limits. */
const ofOneAnswer = new RegExp(
  [
    '^(?:age|alt-svc|connection|content-encoding|content-length|date|expires|keep-alive|nel)$',
    '^(?:server|server-timing|trailer|transfer-encoding|upgrade|via|x-powered-by)$',
    '^(?:cf|fly|x-(?:vercel|cache|served-by|timer|runtime|envoy|cloud|azure|ms))(?:-|$)',
    '(?:^|-)(?:request|requestid|correlation|trace|span|ray|cf|edge|amz)-?id(?:-?\\d)?$',
    '^(?:traceparent|tracestate|x-b3-.*|x-cloud-trace-context)$',
    'ratelimit|(?:processing|response|elapsed|latency|duration|time|upstream.*)-ms$|-time$|latency|duration',
  ].join('|'),
);

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
function toRecordedStream(
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
function toRecordedAnswer(bytes: Uint8Array, sanitizer: BodySanitizer): RecordedBody | undefined {
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

/** Replaces a binary request that contains a secret. */
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

/** Names of query values that are secret, or differ from call to call. */
const leftOut =
  /^(x-amz-.*|.*(key|token|secret|signature|password|credentials?|nonce|timestamp)|auth|authorization|code|expires|sig|ts|_)$/i;

/** Of these, names whose values say what is asked for: the next page, a key of a table. */
const asksFor =
  /^(next|prev|previous|page|continuation|sync|resume|skip|start|after|before|change)[-_]?(page[-_]?)?token$|^(sort|order|group|partition|row|primary|foreign|record|item|cache|object|start|end|from|exclusive[-_]?start)[-_]?key$/i;

/** Names that are not always of secrets: a short value is none, unless it stands for a missing key. */
const ambiguous = /^(key|token|code)$/i;
const shortestSecret = 16;
const missing: readonly string[] = ['', '…', noKey, 'undefined', 'null'];

/** The first of the ports that systems give at random: a server that an evaluation starts has another one each time. */
const firstRandomPort = 32_768;

/**
 * An address as recordings keep it: without user, password, fragment and random ports of loopback. Of the query, harmless
 * values are kept, secret and changing ones are left out, and all others are hashed: they are compared, but any may be a
 * key. `isGiven`: a client gets it, so the order and short numbers and words stay.
 */
export function toRecordedUrl(url: string, sanitizer: BodySanitizer, isGiven = false): string {
  const [, relative = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  const query = [...new URLSearchParams(search)]
    .map(([name, value]) => [
      name,
      isLeftOut(name, value, sanitizer) ? '…' : toRecordedValue(name, value, isGiven),
    ])
    .map((pair) => pair.map(encodeURIComponent).join('='));
  if (!isGiven) query.sort();
  const { protocol, host, hostname = '', port = '', pathname } = parsedUrl(url) ?? {};
  const own = port === '' || Number(port) >= firstRandomPort ? 'localhost' : `localhost:${port}`;
  const server = isLoopbackName(hostname) ? own : host;
  const base = server === undefined ? relative : `${protocol}//${server}${pathname}`;
  const whole = query.length === 0 ? base : `${base}?${query.join('&')}`;
  // Headers have no such character.
  return cleanText(isGiven ? whole : whole.replaceAll('%E2%80%A6', '…'), sanitizer);
}

// A client may follow a replayed redirect, whose address has hashes already.
const hashed = /^…[0-9a-f]{8}$/;

/** A short number, or short words. */
const plain = /^(\d{1,10}|[a-z]{1,12}([ _-][a-z]{1,12}){0,3})?$/i;

function toRecordedValue(name: string, value: string, isGiven: boolean): string {
  if (isHarmlessQuery(name) || hashed.test(value) || (isGiven && plain.test(value))) return value;
  return `…${shortHash(value, 8)}`;
}

function isLeftOut(name: string, value: string, sanitizer: BodySanitizer): boolean {
  if (!leftOut.test(name) || asksFor.test(name)) return false;
  if (!ambiguous.test(name) || value.length >= shortestSecret) return true;
  return missing.includes(value) || cleanText(value, sanitizer) !== value;
}

/** An answer to give instead of making a call. */
export interface GivenAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address after redirects, maybe relative to that of the request; absent for none. */
  readonly url?: string | undefined;
  /** Not compressed; to be given one by one. */
  readonly chunks: readonly Uint8Array[];
  /** Bytes to report of its body; absent for those of the chunks. */
  readonly size?: number | undefined;
}

/** An answer as it was observed. */
export interface ObservedAnswer {
  readonly status: number | undefined;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Address after redirects; absent for none. */
  readonly url: string | undefined;
  /** Not compressed; absent if they exceed the limit. */
  readonly chunks: readonly Uint8Array[] | undefined;
  /** Bytes of its body as they came. */
  readonly size: number;
  /** The answer came to its end. */
  readonly isComplete: boolean;
  /** Nothing more of it will come. */
  readonly hasEnded: boolean;
  /** The reason for a missing or incomplete answer, as one line. */
  readonly error: string | undefined;
  /** The call, read as a model call. */
  readonly exchange: ModelExchange | undefined;
}

/** An attempt at a request that failed when it was recorded. */
export interface ReplayedFailure extends Omit<FailedAttempt, 'response'> {
  readonly request: BodyCapture;
  readonly answer?: GivenAnswer;
}

/** Connects a call with its recording; passed to the record of the call when it begins (`CallStart.recording`). */
export interface CallRecording {
  /** Name of its file, from the folder of its attempt; if it `isShared`, path from that of its eval file, or, with a leading `/`, from that of recordings. */
  readonly name: string;
  /** It belongs to other attempts, too. */
  readonly isShared: boolean;
  /** Present when the call is answered from the recording. */
  readonly replayed?: {
    /** Bytes of its answer at recording time, if they differ now. */
    readonly size?: number | undefined;
    /** The whole answer as JSON, if it was stored so. */
    readonly json?: Json | undefined;
    /** Attempts that failed before it. */
    readonly failed?: readonly ReplayedFailure[];
  };
  /** Called when the call begins, with a function that returns its progress. */
  readonly begun?: (observe: () => ObservedAnswer) => void;
  /** Called when the call has ended; returns true if it is recorded now. */
  readonly ended?: (answer: ObservedAnswer) => boolean;
}
