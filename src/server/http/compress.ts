import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';

/** Compresses answers over 1 KiB for clients that accept it, except event streams. */
export const compress = compression({
  threshold: 1024,
  filter: (request, response) =>
    response.getHeader('Content-Type') !== 'text/event-stream' &&
    compression.filter(request, response),
  // The types expect Express, which is not used.
}) as unknown as (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
