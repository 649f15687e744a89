import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** Answers a request without a connection. */
export function answerRequest(request: ClientRequest, response: Response): void {
  request.onSocket(new AnswerSocket(request, response) as unknown as Socket);
}

/** A connection that returns an answer and accepts any request. */
class AnswerSocket extends Duplex {
  readonly connecting = false;
  readonly encrypted: boolean;
  readonly authorized = true;
  readonly #response: Response;
  readonly #pieces: AsyncIterator<Uint8Array | string>;

  constructor({ method, protocol }: ClientRequest, response: Response) {
    super();
    this.encrypted = protocol === 'https:';
    this.#response = response;
    this.#pieces = piecesOf(response, method);
  }

  override _read(): void {
    this.#pieces.next().then(
      ({ done, value }) => {
        // A connection stays open behind an answer.
        if (done !== true) this.push(value);
      },
      (error) => this.destroy(error),
    );
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, callback: () => void): void {
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const { body } = this.#response;
    if (body?.locked === false) void body.cancel(error);
    else void this.#pieces.return?.();
    callback(error);
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** The bytes of a response on the wire. */
async function* piecesOf(response: Response, method: string): AsyncGenerator<Uint8Array | string> {
  const { status, statusText, headers, body } = response;
  const hasBody = method !== 'HEAD' && ![204, 304].includes(status);
  const isSized = headers.has('content-length');
  const whole = hasBody && isSized ? new Uint8Array(await response.arrayBuffer()) : undefined;
  const lines = [...headers]
    .filter(([name]) => name !== 'transfer-encoding' && (!hasBody || name !== 'content-length'))
    .map(([name, value]) => `${name}: ${value}`);
  if (whole !== undefined) lines.push(`content-length: ${whole.length}`);
  else if (hasBody) lines.push('transfer-encoding: chunked');
  yield `HTTP/1.1 ${status} ${statusText}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
  if (!hasBody) return;
  if (whole !== undefined) {
    if (whole.length > 0) yield whole;
    return;
  }
  for await (const piece of body ?? []) {
    if (piece.length === 0) continue;
    yield `${piece.length.toString(16)}\r\n`;
    yield piece;
    yield '\r\n';
  }
  yield '0\r\n\r\n';
}
