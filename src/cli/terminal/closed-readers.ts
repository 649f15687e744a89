import { hasSystemCode } from '../../errors.js';

/** Lets the process go on when the reader of a stream, such as `| head`, is gone. Other errors end it as ever. */
export function ignoreClosedReaders(stream: NodeJS.WritableStream): void {
  stream.on('error', (error) => {
    if (!isClosedReader(error)) throw error;
  });
}

/** Whether a write has failed because nobody reads any more. */
export function isClosedReader(error: Error): boolean {
  return hasSystemCode(error, 'EPIPE', 'ECONNRESET', 'EOF', 'ERR_STREAM_DESTROYED');
}
