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

  constructor(response: Response, record: CallRecord) {
    this.#response = response;
    this.#record = record;
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

  readonly cancel = async (reason: unknown): Promise<void> => {
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
