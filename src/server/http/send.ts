import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer, JsonAnswer, TextAnswer } from './answer.js';
import { entityTag, matchesTag } from './entity-tag.js';
import type { EventStreams } from './event-streams.js';
import { sendPieces } from './send-pieces.js';

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
