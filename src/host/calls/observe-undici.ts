import { subscribe } from 'node:diagnostics_channel';
import { isModelSocket } from '../../calls/wire/model-socket.js';
import type { BeginCall, CallRecord } from './call-record.js';
import { rawHeadersOf } from './headers.js';
import type { RefuseHere } from './observe-http.js';

/** A request as undici publishes it. */
interface UndiciRequest {
  readonly origin: string | URL;
  readonly path: string;
  readonly method: string;
  readonly body: unknown;
  /** The protocol to change to. */
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

/** Returns a function that records a request which a copy of undici has published; only newer copies publish the bodies of answers. */
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

/** Lets what follows from the answer, such as a repetition, belong to the code of the request, and not to that which opened the connection. */
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
