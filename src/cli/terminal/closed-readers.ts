import { hasSystemCode } from '../../errors.js';

/** Keeps the process running when the reader of a stream, such as `| head`, has gone. Other errors end it as usual. */
export function ignoreClosedReaders(stream: NodeJS.WritableStream): void {
  stream.on('error', (error) => {
    if (!isClosedReader(error)) throw error;
  });
}

/** True for the error of a write to a stream whose reader is gone. */
export function isClosedReader(error: Error): boolean {
  return hasSystemCode(error, 'EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED');
}
