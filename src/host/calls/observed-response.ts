import { hasFailed } from '../recordings/recorded-answer.js';
import type { CallRecord } from './call-record.js';

/** Wraps an answer so that its body is captured as it is read. */
export function observeResponse(response: Response, record: CallRecord): Response {
  const { body } = response;
  if (body === null) {
    record.completed();
    return response;
  }
  const stream = new ReadableStream({ type: 'bytes', ...new CapturingSource(response, record) });
  const { status, statusText, headers } = response;
  return likeness(new Response(stream, { status, statusText, headers }), response);
}

/** Pulls from the body of a response only when it is read. */
class CapturingSource {
  /** Leaves the body alone until it is read: Node closes the connection of a discarded response. */
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Kept alive while its body is read: Node cancels the body of a garbage-collected response. */
  readonly #response: Response;
  readonly #record: CallRecord;
  #rest: Promise<void> | undefined;

  constructor(response: Response, record: CallRecord) {
    this.#response = response;
    this.#record = record;
    const { status, headers } = response;
    const isStream = /event-?stream/.test(headers.get('content-type') ?? '');
    // The rest of a failure is of no use.
    const isKept = record.start.recording?.ended !== undefined && !hasFailed({ status });
    if (isKept && !isStream) {
      record.rest = () => (this.#rest ??= this.#readRest());
    }
  }

  readonly pull = async (controller: ReadableByteStreamController): Promise<void> => {
    this.#reader ??= (this.#response.body as ReadableStream<Uint8Array>).getReader();
    let piece: Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;
    try {
      piece = await this.#reader.read();
    } catch (error) {
      this.#record.failed(error);
      throw error;
    }
    const { done, value } = piece;
    if (done) {
      this.#record.completed();
      controller.close();
      // A reader with a buffer of its own waits for an answer.
      controller.byobRequest?.respond(0);
      return;
    }
    if (value.byteLength === 0) return this.pull(controller);
    this.#record.received(value);
    controller.enqueue(value);
  };

  async #readRest(): Promise<void> {
    if (this.#reader !== undefined) return;
    const { body } = this.#response;
    this.#reader = (body as ReadableStream<Uint8Array>).getReader();
    try {
      for (;;) {
        const { done, value } = await this.#reader.read();
        if (done) break;
        this.#record.received(value);
        if (this.#record.answer.isMissing) await this.#reader.cancel();
      }
      this.#record.completed();
    } catch (error) {
      this.#record.failed(error);
    }
  }

  readonly cancel = async (reason: unknown): Promise<void> => {
    // It only needed the head of the answer.
    if (this.#reader === undefined && this.#record.rest !== undefined) {
      void this.#record.rest();
      return;
    }
    this.#record.left();
    const body = this.#reader ?? this.#response.body;
    await body?.cancel(reason);
  };
}

/** Sets the properties of a response, and of its clones, that no constructor can set. */
export function likeness(
  made: Response,
  original: Pick<Response, 'url' | 'redirected' | 'type'>,
): Response {
  const { url, redirected, type } = original;
  const clone = () => likeness(Response.prototype.clone.call(made), original);
  for (const [name, value] of Object.entries({ url, redirected, type, clone })) {
    Object.defineProperty(made, name, { value, configurable: true, writable: true });
  }
  return made;
}
