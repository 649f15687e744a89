import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { EventStreams } from './event-streams.js';
import { type ProblemError, problemDocument } from './problem.js';
import { hasBody } from './read-body.js';
import type { Answer, JsonAnswer, TextAnswer } from './route.js';

/** Sends the answer of a handler. */
export async function send(
  response: ServerResponse,
  answer: Answer,
  streams: EventStreams,
): Promise<void> {
  if (answer.kind === 'events') streams.send(response, answer);
  else if (answer.kind === 'json') sendJson(response, answer);
  else await sendText(response, answer);
}

function sendJson(response: ServerResponse, answer: JsonAnswer): void {
  const { version, revision } = answer;
  const tag = version === undefined ? undefined : entityTag(version, revision);
  if (isKnown(response.req, tag)) {
    sendNotModified(response, tag);
    return;
  }
  const text = Buffer.from(`${JSON.stringify(answer.body)}\n`);
  setHeaders(response, 'application/json', tag);
  response.setHeader('Content-Length', text.length);
  response.end(text);
}

async function sendText(response: ServerResponse, answer: TextAnswer): Promise<void> {
  const tag = answer.version === undefined ? undefined : entityTag(answer.version);
  if (isKnown(response.req, tag)) {
    sendNotModified(response, tag);
    await dismiss(answer.pieces);
    return;
  }
  // Before the first piece, a problem document may still replace the answer.
  const begin = () => {
    setHeaders(response, answer.contentType, tag);
    if (answer.fileName !== undefined) {
      response.setHeader('Content-Disposition', attachment(answer.fileName));
    }
    // Headers are ASCII.
    if (answer.leftOut !== undefined) {
      response.setHeader('Assay-Left-Out', answer.leftOut.replaceAll('≥', 'at least'));
    }
  };
  if (response.req.method === 'HEAD') {
    begin();
    response.end();
    await dismiss(answer.pieces);
    return;
  }
  await sendPieces(response, answer.pieces, begin);
}

function setHeaders(response: ServerResponse, contentType: string, tag: string | undefined): void {
  response.setHeader('Content-Type', contentType);
  if (tag === undefined) return;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
}

function isKnown(request: IncomingMessage, tag: string | undefined): tag is string {
  const known = request.headers['if-none-match'];
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return isRead && known !== undefined && tag !== undefined && matchesTag(known, tag);
}

function sendNotModified(response: ServerResponse, tag: string): void {
  response.statusCode = 304;
  response.setHeader('ETag', tag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  response.end();
}

async function dismiss(pieces: AsyncIterable<string>): Promise<void> {
  await pieces[Symbol.asyncIterator]().return?.();
}

/** A `Content-Disposition`, RFC 6266, with the name in the old and in the new form. */
function attachment(fileName: string): string {
  const plain = fileName.replaceAll(/[^\x20-\x7e]|["\\%/]/g, '_');
  const exact = encodeURIComponent(fileName).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

// Pieces may be a few bytes, and each write costs a system call and a turn of the compressor.
const writeLength = 64 * 1024;

/**
 * Sends pieces as fast as the client reads them, the first one immediately. Calls `begin` before it. If the client
 * disconnects, it stops reading pieces. If a piece fails, the answer is aborted, not ended.
 */
async function sendPieces(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  begin: () => void,
): Promise<void> {
  const drained = watchDrain(response);
  let waiting = '';
  for await (const piece of pieces) {
    if (response.destroyed) return;
    waiting += piece;
    const isFirst = waiting !== '' && !response.headersSent;
    if (!isFirst && waiting.length < writeLength) continue;
    if (isFirst) begin();
    const isTaken = response.write(waiting);
    waiting = '';
    if (isFirst) flush(response);
    if (!isTaken) await drained();
  }
  if (response.destroyed) return;
  if (!response.headersSent) begin();
  response.end(waiting);
}

/** Flushes the compressor of an answer. */
function flush(response: ServerResponse): void {
  if ('flush' in response && typeof response.flush === 'function') response.flush();
}

// One listener for all writes, because compression cannot remove listeners for `drain`.
function watchDrain(response: ServerResponse): () => Promise<void> {
  let wake: () => void = () => {};
  response.on('drain', () => wake());
  response.on('close', () => wake());
  return () =>
    new Promise((resolve) => {
      wake = resolve;
    });
}

/**
 * Sends a problem document without waiting for the rest of a body: data that arrives within `linger` milliseconds
 * is dropped, then the connection is closed.
 */
export async function sendProblem(
  response: ServerResponse,
  problem: ProblemError,
  linger: number,
): Promise<void> {
  const request = response.req;
  // A short body arrives within one turn, and the connection can be kept.
  if (isComing(request)) await turn();
  const body = Buffer.from(`${JSON.stringify(problemDocument(problem))}\n`);
  response.statusCode = problem.status;
  for (const [name, value] of Object.entries(problem.headers)) response.setHeader(name, value);
  response.setHeader('Content-Type', 'application/problem+json');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', body.length);
  if (!isComing(request)) {
    response.end(body);
    return;
  }
  response.setHeader('Connection', 'close');
  response.write(body);
  flush(response);
  await drop(request, linger);
  response.end();
}

function isComing(request: IncomingMessage): boolean {
  return hasBody(request) && !request.complete && !request.destroyed;
}

// If the connection is closed while data arrives, the system resets it, and the client may never read the answer.
function drop(request: IncomingMessage, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    request.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    request.resume();
  });
}

/** The `ETag` of an answer: weak, because compression changes the bytes. The revision precedes the version. */
function entityTag(version: string, revision?: string): string {
  return `W/"${revision === undefined ? '' : `${revision}.`}${tagOf(version)}"`;
}

/** The revision of editable data. */
export function revisionOf(value: unknown): string {
  return tagOf(JSON.stringify(value));
}

/** True for an `If-Match` that contains this revision, or `*`. */
export function matchesRevision(ifMatch: string, revision: string): boolean {
  return ifMatch.split(',').some((one) => {
    const tag = one.trim();
    return tag === '*' || bareTag(tag).replaceAll('"', '').split('.')[0] === revision;
  });
}

/** True for an `If-None-Match` that contains this tag, or `*`. */
function matchesTag(ifNoneMatch: string, tag: string): boolean {
  return ifNoneMatch
    .split(',')
    .some((one) => one.trim() === '*' || bareTag(one.trim()) === bareTag(tag));
}

function bareTag(tag: string): string {
  return tag.replace(/^W\//, '');
}

function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Headers of every answer: see "a web page that reads" in docs/security.md. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};
