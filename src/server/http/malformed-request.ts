import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ProblemError, problemDocument } from './problem.js';
import { securityHeaders } from './security-headers.js';

/** The error of Node's HTTP parser. */
export interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that were parsed. */
  readonly rawPacket?: Buffer;
}

/**
 * Answers a request that could not be parsed: too slow, too long, or not HTTP. Closes the connection, after
 * `linger` milliseconds at the latest.
 */
export function refuseUnparsed(socket: Socket, error: ParserError, linger: number): void {
  const problem = refusalOfParser(error);
  const body = `${JSON.stringify(problemDocument(problem))}\n`;
  const headers = {
    ...securityHeaders,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`,
  );
  // If the connection is closed while data arrives, the system resets it, and the client may never read the answer.
  setTimeout(() => socket.destroy(), linger).unref();
}

function refusalOfParser({ code, rawPacket }: ParserError): ProblemError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError(408, 'The request took too long to arrive.');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return /^[A-Z]+ [^ ]{8192}/.test(rawPacket?.toString('latin1') ?? '')
      ? new ProblemError(414, 'The URL is too long.')
      : new ProblemError(431, 'The headers are too long.');
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new ProblemError(413, 'The chunk extensions of the body are too long.');
  }
  return new ProblemError(400, 'This is not an HTTP request that can be understood.');
}
