import { StringDecoder } from 'node:string_decoder';
import type { LogStream } from '../protocol/messages.js';
import { type Attempt, currentAttempt } from './attempt/attempt.js';
import { nextTick } from './primitives.js';

/** Handlers for user code that affects the whole process. */
export interface GuardHandlers {
  readonly onPrint: (attempt: Attempt, stream: LogStream, text: string) => void;
  /** `process.exit`, an uncaught exception or an unhandled rejection outside of any attempt, or after its end. */
  readonly onStray: (thrown: unknown, attempt: Attempt | undefined) => void;
}

/** Thrown out of `process.exit` so that the code after it does not run. */
class ExitCalled extends Error {
  override readonly name = 'ExitCalled';
}

/**
 * Charges what user code does to the process to the attempt it came from: output is captured, and
 * `process.exit`, uncaught exceptions and unhandled rejections end that attempt only. Returns the real exit.
 */
export function guardProcess(handlers: GuardHandlers): (code?: number) => never {
  captureStream('stdout', handlers);
  captureStream('stderr', handlers);
  process.on('uncaughtException', (error) => charge(error, 'uncaught', handlers));
  process.on('unhandledRejection', (error) => charge(error, 'uncaught', handlers));
  const realExit = process.exit.bind(process);
  process.exit = (code) => {
    const error = new ExitCalled(`called process.exit(${code ?? process.exitCode ?? 0})`);
    charge(error, 'exit', handlers);
    throw error;
  };
  return realExit;
}

function charge(thrown: unknown, reason: 'exit' | 'uncaught', handlers: GuardHandlers): void {
  if (reason === 'uncaught' && thrown instanceof ExitCalled) return;
  const attempt = currentAttempt();
  if (attempt?.hasEnded === false) attempt.interrupt({ reason, error: thrown });
  else handlers.onStray(thrown, attempt);
}

type Write = typeof process.stdout.write;

function captureStream(name: LogStream, handlers: GuardHandlers): void {
  const stream = process[name];
  const realWrite = stream.write.bind(stream) as Write;
  const decodeBytes = bytesDecoder();
  const write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    callback?: (error?: Error | null) => void,
  ): boolean => {
    const attempt = currentAttempt();
    if (attempt === undefined) return realWrite(chunk, encoding as BufferEncoding, callback);
    const given = typeof encoding === 'string' ? encoding : 'utf8';
    const text = typeof chunk === 'string' ? decode(chunk, given) : decodeBytes(attempt, chunk);
    handlers.onPrint(attempt, name, text);
    const done = typeof encoding === 'function' ? encoding : callback;
    if (done !== undefined) nextTick(done);
    return true;
  };
  stream.write = write as Write;
}

/** Bytes of UTF-8 as text; a character may be cut between two pieces of one attempt. */
function bytesDecoder(): (attempt: Attempt, bytes: Uint8Array) => string {
  const decoders = new WeakMap<Attempt, StringDecoder>();
  return (attempt, bytes) => {
    const decoder = decoders.get(attempt) ?? new StringDecoder('utf8');
    decoders.set(attempt, decoder);
    return decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  };
}

function decode(chunk: string, encoding: BufferEncoding): string {
  return encoding === 'utf8' || encoding === 'utf-8'
    ? chunk
    : Buffer.from(chunk, encoding).toString();
}
