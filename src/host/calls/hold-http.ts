import { subscribe } from 'node:diagnostics_channel';
import { errorMonitor } from 'node:events';
import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { replaceMethod } from '../replace-method.js';
import { BodyCapture, maxBodyBytes } from './body-capture.js';
import type { AnswerHead } from './call-permissions.js';
import type { BeginCall, CallStart } from './call-record.js';
import { headOf, isExchange, type RecordRequest, type RefuseHere, take } from './observe-http.js';
import { headersOf } from './stored-parts.js';

export interface HoldHere {
  readonly decide: Decide;
  readonly begin: BeginCall;
  /** For a request that cannot be held. */
  readonly refuse: RefuseHere;
}

/** A request before it is made; the body says whether it is missing. */
interface WholeRequest extends Pick<CallStart, 'method' | 'url'> {
  readonly body: BodyCapture;
}

/** Lets a request be made when it may be, or be answered; rejects with the error that it fails with. */
export type Decide = (
  request: WholeRequest,
  signal: AbortSignal,
  make: MakeCall,
) => Promise<unknown>;

/** Makes the call, or gives it an answer; resolves with the beginning of the answer. Without a start it is not recorded. */
type MakeCall = (start: MoreOfStart | undefined, answer?: Response) => Promise<AnswerHead>;

type MoreOfStart = Omit<CallStart, 'role' | 'method' | 'url' | 'body'>;
type Http = typeof import('node:http');

/**
 * Holds requests of `node:http` and `node:https` before they ask their agent for a connection, until their body is
 * complete and they are allowed. A request without a connection buffers its body.
 */
export function holdHttp(http: Http, holdHere: () => HoldHere | undefined, record: RecordRequest) {
  const { prototype } = http.ClientRequest;
  const { flushHeaders, write, end } = http.OutgoingMessage.prototype;
  const held = new WeakMap<ClientRequest, HeldRequest>();
  const headComes = watchHeads();
  const known = new WeakSet<object>();
  const holdRequestsOf = (agent: Agent): void => {
    const owner = ownerOf(agent, 'addRequest') as Agent & { addRequest: AddRequest };
    if (known.has(owner)) return;
    known.add(owner);
    replaceMethod(
      owner,
      'addRequest',
      (addRequest) =>
        function (this: Agent, request: ClientRequest, ...more: unknown[]): unknown {
          const connect = () => Reflect.apply(addRequest, this, [request, ...more]);
          // Agents hand requests over to other agents.
          const here = held.has(request) || !canBeHeld(request) ? undefined : holdHere();
          if (here === undefined) return connect();
          const body = new BodyCapture();
          const make: MakeCall = (start, answer) => {
            const head = headComes(request);
            // An earlier caller may have got another answer.
            head.catch(() => undefined);
            if (start !== undefined) {
              record(request, (seen) => here.begin({ ...seen, ...start, body }));
            }
            if (answer === undefined) connect();
            else answerRequest(request, answer);
            return head;
          };
          held.set(request, new HeldRequest(request, body, here, make));
          return undefined;
        },
    );
  };
  // Set by each request before it gives itself to its agent, which may be of any class.
  Object.defineProperty(prototype, 'agent', {
    configurable: true,
    get: () => undefined,
    set(this: ClientRequest, agent: unknown) {
      const own = { value: agent, writable: true, enumerable: true, configurable: true };
      Object.defineProperty(this, 'agent', own);
      if (isAgent(agent)) holdRequestsOf(agent);
    },
  });
  replaceMethod(
    prototype,
    'write',
    (inherited) =>
      function (this: ClientRequest, ...given: unknown[]) {
        const one = held.get(this);
        if (one?.isHeld !== true) return Reflect.apply(inherited, this, given);
        return one.write(given, (kept) => Reflect.apply(write, this, kept));
      },
  );
  replaceMethod(
    prototype,
    'end',
    (inherited) =>
      function (this: ClientRequest, ...given: unknown[]) {
        const one = held.get(this);
        if (one?.isHeld !== true) return Reflect.apply(inherited, this, given);
        return one.end(given, () => Reflect.apply(end, this, given));
      },
  );
  replaceMethod(
    prototype,
    'flushHeaders',
    (inherited) =>
      function (this: ClientRequest) {
        const one = held.get(this);
        if (one?.isHeld !== true) return Reflect.apply(inherited, this, []);
        Reflect.apply(flushHeaders, this, []);
        one.release();
      },
  );
  replaceMethod(
    prototype,
    'destroy',
    (inherited) =>
      function (this: ClientRequest, ...given: unknown[]) {
        const result = Reflect.apply(inherited, this, given);
        held.get(this)?.leave();
        return result;
      },
  );
}

type AddRequest = (request: ClientRequest, ...more: unknown[]) => unknown;

function isAgent(agent: unknown): agent is Agent {
  return (
    typeof (agent as Partial<{ addRequest: AddRequest }> | undefined)?.addRequest === 'function'
  );
}

/** The object itself, or the prototype, that has a property. */
function ownerOf(object: object, name: string): object {
  for (let at = object; ; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, name)) return at;
  }
}

/** A client that waits for `100 Continue` writes no body before. */
function canBeHeld(request: ClientRequest): boolean {
  return isExchange(request) && request.getHeader('expect') === undefined && !request.destroyed;
}

/** Returns a function that resolves with the head of the answer to a request. */
function watchHeads(): (request: ClientRequest) => Promise<AnswerHead> {
  const waiting = new WeakMap<ClientRequest, (head: AnswerHead) => void>();
  // A listener for the answer would take it from a user who has none.
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const headers = new Map(Object.entries(headersOf(response.headers)));
    waiting.get(request)?.({ status: response.statusCode ?? 0, headers });
  });
  return (request) =>
    new Promise((resolve, reject) => {
      waiting.set(request, resolve);
      request.once(errorMonitor, reject);
      request.once('close', () => reject(new Error('The request was closed.')));
    });
}

/** A request that has no connection yet. */
class HeldRequest {
  readonly #request: ClientRequest;
  readonly #body: BodyCapture;
  readonly #here: HoldHere;
  readonly #make: MakeCall;
  readonly #left = new AbortController();
  #state: 'written' | 'asking' | 'released' = 'written';

  constructor(request: ClientRequest, body: BodyCapture, here: HoldHere, make: MakeCall) {
    this.#request = request;
    this.#body = body;
    this.#here = here;
    this.#make = make;
  }

  get isHeld(): boolean {
    return this.#state !== 'released';
  }

  /** Always returns true and calls back at once, so that a client writes its whole body. */
  write(given: readonly unknown[], write: (given: readonly unknown[]) => boolean): boolean {
    take(this.#body, given);
    if (this.#state === 'asking') return write(given);
    const callback = given.at(-1);
    if (this.#body.size > maxBodyBytes) {
      const hasRoom = write(given);
      void this.#askNow();
      return hasRoom;
    }
    if (typeof callback !== 'function') write(given);
    else {
      write(given.slice(0, -1));
      process.nextTick(callback as () => void);
    }
    return true;
  }

  end(given: readonly unknown[], end: () => unknown): unknown {
    take(this.#body, given);
    const ended = end();
    void this.#askNow();
    return ended;
  }

  /** Sends it without a question: a client that flushes the headers may write the body after the answer. */
  release(): void {
    if (this.#state !== 'written') return;
    const refusal = this.#here.refuse(headOf(this.#request));
    if (refusal === undefined) {
      void this.#makeNow({});
      return;
    }
    this.#state = 'released';
    this.#close(refusal);
  }

  /** The client has destroyed it. Without a connection, Node does not tell its listeners. */
  leave(): void {
    if (!this.isHeld) return;
    this.#state = 'released';
    this.#left.abort();
    this.#close();
  }

  async #askNow(): Promise<void> {
    if (this.#state !== 'written') return;
    this.#state = 'asking';
    const request = { ...headOf(this.#request), body: this.#body };
    try {
      await this.#here.decide(request, this.#left.signal, (...how) => this.#makeNow(...how));
    } catch (error) {
      if (!this.isHeld) return;
      this.#state = 'released';
      this.#close(error);
    }
  }

  #makeNow(...how: Parameters<MakeCall>): Promise<AnswerHead> {
    this.#state = 'released';
    try {
      return this.#make(...how);
    } catch (error) {
      this.#close(error);
      throw error;
    }
  }

  /** As an agent does that could not connect. */
  #close(error?: unknown): void {
    const request = this.#request as unknown as { onSocket(socket: null, error: unknown): void };
    request.onSocket(null, error);
  }
}

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
