import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
import type { CallStart } from './call-record.js';
import { headersOf } from './headers.js';
import type { BeginHere, RefuseHere } from './observe-http.js';
import { capturePushes, captureWrites } from './observe-stream.js';

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
    const head = headOf(headers ?? {}, authority);
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

function headOf(headers: OutgoingHttpHeaders, authority: string): Head | undefined {
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
