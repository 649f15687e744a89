import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  IncomingHttpHeaders,
  OutgoingHttpHeaders,
} from 'node:http2';
import { syncBuiltinESMExports } from 'node:module';
import { headersOf } from './headers.js';
import type { BeginHere } from './observe-http.js';
import { capturePushes, captureWrites } from './observe-stream.js';

type Connect = typeof import('node:http2').connect;

/** Records the calls of sessions of `node:http2` that are opened from now on. */
export function observeHttp2(http2: typeof import('node:http2'), begin: BeginHere): void {
  const real = http2.connect;
  const connect = (...given: Parameters<Connect>): ClientHttp2Session => {
    const session = Reflect.apply(real, http2, given) as ClientHttp2Session;
    observeSession(session, String(given[0]), begin);
    return session;
  };
  // It has a form for `promisify`, too.
  Object.defineProperties(connect, Object.getOwnPropertyDescriptors(real));
  http2.connect = connect as Connect;
  syncBuiltinESMExports();
}

function observeSession(session: ClientHttp2Session, authority: string, begin: BeginHere): void {
  const { request } = session;
  session.request = function (
    this: ClientHttp2Session,
    headers?: OutgoingHttpHeaders,
    ...more: unknown[]
  ) {
    const stream = Reflect.apply(request, this, [headers, ...more]) as ClientHttp2Stream;
    try {
      observeRequest(stream, headers ?? {}, authority, begin);
    } catch {
      // The request is what counts.
    }
    return stream;
  } as typeof request;
}

function observeRequest(
  stream: ClientHttp2Stream,
  headers: OutgoingHttpHeaders,
  authority: string,
  begin: BeginHere,
): void {
  const here = begin();
  if (here === undefined) return;
  const record = here({
    method: String(headers[':method'] ?? 'GET'),
    url: new URL(String(headers[':path'] ?? '/'), authority).href,
    headers: headersOf(headers),
  });
  captureWrites(stream, record.request);
  capturePushes(stream, record);
  stream.once('response', (answer: IncomingHttpHeaders) => {
    record.answered(Number(answer[':status'] ?? 0), headersOf(answer));
  });
}
