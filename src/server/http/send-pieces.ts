import type { ServerResponse } from 'node:http';

// Pieces may be a few bytes, and each write costs a system call and a turn of the compressor.
const writeLength = 64 * 1024;

/**
 * Sends pieces as fast as the client reads them, the first one immediately. Calls `begin` before it. If the client
 * disconnects, it stops reading pieces. If a piece fails, the answer is aborted, not ended.
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

/** Flushes the compressor of an answer. */
export function flush(response: ServerResponse): void {
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
