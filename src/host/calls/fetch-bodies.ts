import { hasFailed } from '../recordings/recorded-parts.js';
import type { BodyCapture } from './body-capture.js';
import type { CallRecord } from './call-record.js';

type Init = RequestInit | undefined;
type Bodies = AsyncIterable<Uint8Array | string>;

/** The method, address and signal of a fetch, and whether its answer is that after redirects. */
export function headOfFetch([input, init]: Parameters<typeof fetch>) {
  const request = input instanceof Request ? input : undefined;
  return {
    method: (init?.method ?? request?.method ?? 'GET').toUpperCase(),
    url: request?.url ?? String(input),
    signal: init?.signal ?? request?.signal,
    follows: (init?.redirect ?? request?.redirect ?? 'follow') === 'follow',
  };
}

/** The arguments of a fetch; a body that is a stream is replaced by a captured one. */
export function captureRequestBody(
  input: unknown,
  init: Init,
  capture: BodyCapture,
): { readonly init: Init; readonly body: Promise<void> | undefined } {
  const body: unknown = init?.body;
  if (body === undefined || body === null) {
    return { init, body: captureRequest(input, capture) };
  }
  if (body instanceof ReadableStream) {
    return { init: withBody(init, capturedStream(body, capture)), body: undefined };
  }
  if (isStreamed(body)) return { init: withBody(init, captured(body, capture)), body: undefined };
  return { init, body: captureValue(body, capture) };
}

/** Captures a body without consuming it; nothing for a stream. */
export function peekRequestBody(
  input: unknown,
  init: Init,
  capture: BodyCapture,
): Promise<void> | undefined {
  const body: unknown = init?.body;
  if (body === undefined || body === null) return captureRequest(input, capture);
  return isStreamed(body) ? undefined : captureValue(body, capture);
}

/** The options of a fetch, with the complete body of a stream. */
export function readStreamedBody(init: Init): Init | Promise<Init> {
  const body: unknown = init?.body;
  return isStreamed(body) ? withWhole(init, body) : init;
}

async function withWhole(init: Init, body: Bodies): Promise<Init> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) {
    pieces.push(typeof piece === 'string' ? Buffer.from(piece) : piece);
  }
  return withBody(init, Buffer.concat(pieces));
}

/** A body that is available at once, or can be read without consuming it for others. */
function captureValue(body: unknown, capture: BodyCapture): Promise<void> | undefined {
  if (typeof body === 'string') capture.add(body);
  else if (body instanceof URLSearchParams) capture.add(body.toString());
  else if (body instanceof ArrayBuffer) capture.add(new Uint8Array(body));
  else if (ArrayBuffer.isView(body)) {
    capture.add(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  } else if (body instanceof Blob) return addLater(body.arrayBuffer(), capture);
  else if (body instanceof FormData) return addLater(new Response(body).arrayBuffer(), capture);
  return undefined;
}

/** A request carries its body; its clone is read beside it. */
function captureRequest(input: unknown, capture: BodyCapture): Promise<void> | undefined {
  if (!(input instanceof Request) || input.body === null || input.bodyUsed || input.body.locked) {
    return undefined;
  }
  return addLater(input.clone().arrayBuffer(), capture);
}

async function addLater(bytes: Promise<ArrayBuffer>, capture: BodyCapture): Promise<void> {
  try {
    capture.add(new Uint8Array(await bytes));
  } catch {
    // The request itself fails with it.
  }
}

/** Options may have getters, or be made by a class. */
function withBody(init: Init, body: unknown): Init {
  return Object.create(init as object, {
    body: { value: body, enumerable: true, configurable: true, writable: true },
  }) as RequestInit;
}

function capturedStream(stream: ReadableStream, capture: BodyCapture): ReadableStream {
  const reader = stream.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        if (value instanceof Uint8Array) capture.add(value);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** Also for a `ReadableStream`, which Node can iterate over. */
function isStreamed(body: unknown): body is Bodies {
  return typeof (body as Partial<Bodies> | null | undefined)?.[Symbol.asyncIterator] === 'function';
}

async function* captured(
  bodies: Bodies,
  capture: BodyCapture,
): AsyncGenerator<Uint8Array | string> {
  for await (const piece of bodies) {
    capture.add(piece);
    yield piece;
  }
}

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
  /** Absent until the body is read, because Node closes the connection of a discarded response. */
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

/** Sets properties of a response, and of its clones, that its constructor does not take. */
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
