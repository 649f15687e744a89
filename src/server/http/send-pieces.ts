import type { ServerResponse } from 'node:http';

// Pieces may be a few bytes; each write costs a system call, and a turn of the compressor.
const writeLength = 64 * 1024;

/**
 * Sends pieces as fast as the client takes them, the first at once. `begin` is called before it.
 * When the client goes, no further piece is asked for. When a piece fails, what was begun is cut off, not ended.
 */
export async function sendPieces(
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

/** Makes a compressed answer leave the compressor as far as it is. */
export function flush(response: ServerResponse): void {
  if ('flush' in response && typeof response.flush === 'function') response.flush();
}

// One listener for all: with compression, listeners for `drain` cannot be taken off again.
function watchDrain(response: ServerResponse): () => Promise<void> {
  let wake: () => void = () => {};
  response.on('drain', () => wake());
  response.on('close', () => wake());
  return () =>
    new Promise((resolve) => {
      wake = resolve;
    });
}
