import { errorMonitor } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { BodyCapture } from './body-capture.js';
import type { CallRecord } from './call-record.js';

/** Captures writes to a stream, which may have begun. */
export function captureWrites(stream: Writable, capture: BodyCapture): void {
  const { write, end } = stream;
  const own = { write, end };
  stream.write = function (this: Writable, ...given: [unknown, ...unknown[]]) {
    take(capture, given);
    return Reflect.apply(own.write, this, given) as boolean;
  } as Writable['write'];
  stream.end = function (this: Writable, ...given: [unknown?, ...unknown[]]) {
    take(capture, given);
    return Reflect.apply(own.end, this, given) as Writable;
  } as Writable['end'];
}

/** Takes the chunk of a call of `write` or `end`. */
export function take(capture: BodyCapture, [chunk, encoding]: readonly unknown[]): void {
  if (typeof chunk === 'string') {
    const isText = typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
    capture.add(isText ? chunk : Buffer.from(chunk, encoding as BufferEncoding));
  } else if (chunk instanceof Uint8Array) capture.add(chunk);
}

/** Captures what a stream hands to its reader, and how it ends, without reading it. */
export function capturePushes(stream: Readable, record: CallRecord): void {
  const { push } = stream;
  stream.push = function (this: Readable, chunk: unknown, encoding?: BufferEncoding) {
    if (chunk === null) record.completed();
    else if (typeof chunk === 'string' || chunk instanceof Uint8Array) record.received(chunk);
    return push.call(this, chunk, encoding);
  };
  stream.once(errorMonitor, (error) => record.failed(error));
  stream.once('close', () => record.left());
}
