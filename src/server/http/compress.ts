import type { IncomingMessage, ServerResponse } from 'node:http';
import compression from 'compression';

/** Lets answers over 1 KiB be compressed for clients that take it; event streams never are. */
export const compress = compression({
  threshold: 1024,
  filter: (request, response) =>
    response.getHeader('Content-Type') !== 'text/event-stream' &&
    compression.filter(request, response),
  // The types are those of Express; nothing of it is used.
}) as unknown as (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
