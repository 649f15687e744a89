import type { BodyCapture } from './body-capture.js';

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
