import { subscribe } from 'node:diagnostics_channel';
import { errorMonitor } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
import type { Readable, Writable } from 'node:stream';
import { isModelSocket } from '../../model-calls/recognise.js';
import { replaceMethod } from '../replace-method.js';
import type { BodyCapture } from './body-capture.js';
import type { BeginCall, CallRecord, CallStart } from './call-record.js';
import { headersOf, rawHeadersOf } from './stored-parts.js';

/** Begins a call of the running code; `undefined` where calls are recorded elsewhere. */
type BeginHere = () => BeginCall | undefined;

/** The error of a refused request of the running code; `undefined` if it may be made. */
export type RefuseHere = (request: Pick<CallStart, 'method' | 'url'>) => Error | undefined;

/** Records a request whose body has been captured so far. */
export type RecordRequest = (request: ClientRequest, begin: BeginCall) => void;

/** Records calls of `node:http` and `node:https` from now on; returns a function that records a given request. */
export function observeHttp(
  { ClientRequest }: typeof import('node:http'),
  beginHere: BeginHere,
  refuseHere: RefuseHere,
): RecordRequest {
  const records = new WeakMap<ClientRequest, CallRecord | undefined>();
  const record: RecordRequest = (request, begin) =>
    void records.set(request, beginRequest(request, begin));
  const recordOf = (request: ClientRequest): CallRecord | undefined => {
    if (!records.has(request)) {
      const begin = isExchange(request) || opensModelSocket(request) ? beginHere() : undefined;
      const refusal = begin && refuseHere(headOf(request));
      if (begin === undefined || refusal !== undefined) records.set(request, undefined);
      else record(request, begin);
      if (refusal !== undefined) request.destroy(refusal);
    }
    return records.get(request);
  };
  // They are inherited: from here on a request has its own.
  for (const name of ['flushHeaders', 'write', 'end'] as const) {
    replaceMethod(
      ClientRequest.prototype,
      name,
      (inherited) =>
        function (this: ClientRequest, ...given: unknown[]): unknown {
          const known = recordOf(this);
          if (known !== undefined) take(known.request, given);
          return Reflect.apply(inherited, this, given);
        },
    );
  }
  subscribe('http.client.response.finish', (message) => {
    const { request, response } = message as { request: ClientRequest; response: IncomingMessage };
    const known = records.get(request);
    if (known === undefined || known.hasEnded) return;
    known.answered(response.statusCode ?? 0, headersOf(response.headers));
    capturePushes(response, known);
  });
  return record;
}

/** One request and one answer; not another protocol, and not the tunnel of a proxy. */
export function isExchange(request: ClientRequest): boolean {
  return request.method !== 'CONNECT' && request.getHeader('upgrade') === undefined;
}

/** A request for a WebSocket to a model: what it carries is not seen. */
function opensModelSocket(request: ClientRequest): boolean {
  return (
    /^websocket$/i.test(String(request.getHeader('upgrade'))) && isModelSocket(headOf(request).url)
  );
}

export function headOf(request: ClientRequest): Pick<CallStart, 'method' | 'url'> {
  const { protocol, host, path, method } = request;
  const authority = String(request.getHeader('host') ?? host);
  return { method, url: `${protocol}//${authority}${path}` };
}

function beginRequest(request: ClientRequest, begin: BeginCall): CallRecord {
  const isOpaque = !isExchange(request);
  const record = begin({ ...headOf(request), ...(isOpaque && { isOpaque }) });
  request.once(errorMonitor, (error) => record.failed(error));
  return record;
}

type Connect = typeof import('node:http2').connect;

/** Records the calls of sessions of `node:http2` that are opened from now on. */
export function observeHttp2(
  http2: typeof import('node:http2'),
  begin: BeginHere,
  refuse: RefuseHere,
): void {
  const real = http2.connect;
  const connect = (...given: Parameters<Connect>): ClientHttp2Session => {
    const session = Reflect.apply(real, http2, given) as ClientHttp2Session;
    observeSession(session, String(given[0]), begin, refuse);
    return session;
  };
  // It has a form for `promisify`, too.
  Object.defineProperties(connect, Object.getOwnPropertyDescriptors(real));
  http2.connect = connect as Connect;
  syncBuiltinESMExports();
}

function observeSession(
  session: ClientHttp2Session,
  authority: string,
  begin: BeginHere,
  refuse: RefuseHere,
): void {
  const { request } = session;
  session.request = function (
    this: ClientHttp2Session,
    headers?: OutgoingHttpHeaders,
    ...more: unknown[]
  ) {
    const head = headOfStream(headers ?? {}, authority);
    const refusal = head && refuse(head);
    if (refusal !== undefined) throw refusal;
    const stream = Reflect.apply(request, this, [headers, ...more]) as ClientHttp2Stream;
    try {
      if (head !== undefined) observeRequest(stream, head, begin);
    } catch {
      // Only the request counts.
    }
    return stream;
  } as typeof request;
}

type Head = Pick<CallStart, 'method' | 'url'>;

function headOfStream(headers: OutgoingHttpHeaders, authority: string): Head | undefined {
  const method = String(headers[':method'] ?? 'GET');
  const path = String(headers[':path'] ?? '/');
  if (method === 'CONNECT' || !URL.canParse(path, authority)) return undefined;
  return {
    method,
    url: new URL(path, authority).href,
  };
}

function observeRequest(stream: ClientHttp2Stream, head: Head, begin: BeginHere): void {
  const here = begin();
  if (here === undefined) return;
  const record = here(head);
  captureWrites(stream, record.request);
  capturePushes(stream, record);
  const { destroy } = stream;
  // Its client may repeat the request before the stream says that it is closed.
  stream.destroy = function (this: ClientHttp2Stream, error?: Error) {
    record.abandoned(error);
    return Reflect.apply(destroy, this, [error]);
  };
  stream.once('response', (answer: IncomingHttpHeaders) => {
    record.answered(Number(answer[':status'] ?? 0), headersOf(answer));
  });
}

interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  readonly body: unknown;
  readonly upgrade?: string | null;
  /** Called before anything is sent; what it throws is the error of the request. */
  onConnect?: Listener;
  onHeaders?: Listener;
  onData?: Listener;
  onComplete?: Listener;
  onError?: Listener;
}

type Listener = (...given: unknown[]) => unknown;

interface Published {
  readonly request: UndiciRequest;
  readonly response?: {
    readonly statusCode: number;
    readonly headers: readonly (Uint8Array | string)[];
  };
  readonly chunk?: unknown;
  readonly error?: unknown;
}

/** Returns a function that records a request of a copy of undici. Only newer copies publish the bodies of answers. */
export function observeUndici(): (
  created: unknown,
  begin: BeginCall,
  refuse: RefuseHere,
  runHere: RunHere,
) => void {
  const records = new WeakMap<UndiciRequest, CallRecord>();
  const on = (name: string, listen: (published: Published, record: CallRecord) => void): void => {
    subscribe(`undici:request:${name}`, (message) => {
      const published = message as Published;
      const record = records.get(published.request);
      if (record !== undefined) listen(published, record);
    });
  };
  on('bodyChunkSent', ({ chunk, request }, record) => {
    if (!isWhole(request.body)) addBody(chunk, record);
  });
  on('headers', ({ response }, record) => {
    if (response !== undefined) {
      record.answered(response.statusCode, rawHeadersOf(response.headers));
    }
  });
  on('bodyChunkReceived', ({ chunk }, record) => {
    if (chunk instanceof Uint8Array) record.received(chunk);
  });
  on('trailers', (_, record) => {
    if (record.answer.size === 0) record.note('This copy of undici does not show its answers.');
    record.completed();
  });
  on('error', ({ error }, record) => record.failed(error));
  return (created, begin, refuse, runHere) => {
    const { request } = created as Published;
    const { method, path, origin, upgrade } = request;
    // The tunnel of a proxy: the request through it is another one.
    if (method === 'CONNECT') return;
    const { href: url } = new URL(path, origin);
    if (upgrade && !isModelSocket(url)) return;
    const refusal = refuse({ method, url });
    if (refusal !== undefined) {
      request.onConnect = () => {
        throw refusal;
      };
      return;
    }
    const record = begin({ method, url, ...(upgrade && { isOpaque: true }) });
    records.set(request, record);
    addBody(request.body, record);
    answerHere(request, runHere);
  };
}

/** Runs work for the code that makes the request. */
type RunHere = <Result>(work: () => Result) => Result;

/** Runs the callbacks of a request in the scope of its code; undici would run them in the scope that opened the connection. */
function answerHere(request: UndiciRequest, runHere: RunHere): void {
  for (const name of ['onHeaders', 'onData', 'onComplete', 'onError'] as const) {
    const listener = request[name];
    if (listener === undefined) continue;
    request[name] = (...given) => runHere(() => Reflect.apply(listener, request, given));
  }
}

function isWhole(body: unknown): boolean {
  return typeof body === 'string' || body instanceof Uint8Array;
}

function addBody(body: unknown, record: CallRecord): void {
  if (typeof body === 'string' || body instanceof Uint8Array) record.request.add(body);
}

/** Captures writes to a stream, which may have begun. */
function captureWrites(stream: Writable, capture: BodyCapture): void {
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
function capturePushes(stream: Readable, record: CallRecord): void {
  const { push } = stream;
  stream.push = function (this: Readable, chunk: unknown, encoding?: BufferEncoding) {
    if (chunk === null) record.completed();
    else if (typeof chunk === 'string' || chunk instanceof Uint8Array) record.received(chunk);
    return push.call(this, chunk, encoding);
  };
  stream.once(errorMonitor, (error) => record.failed(error));
  stream.once('close', () => record.left());
}
