import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { type ProblemError, problemDocument } from './problem.js';
import { hasBody } from './read-body.js';
import { flush } from './send-pieces.js';

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
