import { subscribe } from 'node:diagnostics_channel';
import { type EventEmitter, errorMonitor } from 'node:events';
import net, { type Socket } from 'node:net';
import type { CallRecord, CallStart } from './call-record.js';
import { take } from './observe-stream.js';
import { replaceMethod } from './replace-method.js';

/** The request under way on a socket that no client of ours observes. */
interface RawRequest {
  readonly record: CallRecord;
  /** The head, as long as it is not complete. */
  head: string | undefined;
}

/** Begins a request of the running code; `undefined` where it is recorded elsewhere, an error where it is refused. */
type BeginRaw = (
  start: Pick<CallStart, 'method' | 'url' | 'isOpaque'>,
) => CallRecord | Error | undefined;

const mostHead = 64 * 1024;

/**
 * Records requests that code writes to a socket itself, from now on: by `net`, by `tls`, by clients of their own. They
 * are told from other protocols, such as those of databases, by their first word.
 */
export function observeSockets(beginHere: BeginRaw): void {
  const requests = new WeakMap<net.Socket, RawRequest>();
  const observed = new WeakSet<Socket>();
  subscribe('undici:client:connected', (message) => {
    observed.add((message as { readonly socket: Socket }).socket);
  });
  const write = (socket: Socket, given: readonly unknown[]): void => {
    if (isPost(given[0])) {
      const isOfClient = observed.has(socket) || '_httpMessage' in socket;
      if (isOfClient) return;
      const url = urlOf(socket, textOf(given));
      const begun = beginHere({ method: 'POST', url, isOpaque: true });
      if (begun instanceof Error) socket.destroy(begun);
      else if (begun !== undefined) beginRequest(socket, given, begun, requests);
      return;
    }
    const request = requests.get(socket);
    if (request !== undefined) addTo(request, given);
  };
  for (const name of ['write', 'end'] as const) {
    replaceMethod(
      net.Socket.prototype,
      name,
      (inherited) =>
        function (this: Socket, ...given: unknown[]): unknown {
          write(this, given);
          return Reflect.apply(inherited, this, given);
        },
    );
  }
}

const post = Buffer.from('POST ');

function isPost(chunk: unknown): boolean {
  if (typeof chunk === 'string') return chunk.startsWith('POST ');
  return chunk instanceof Uint8Array && post.every((byte, at) => chunk[at] === byte);
}

function beginRequest(
  socket: Socket,
  given: readonly unknown[],
  record: CallRecord,
  requests: WeakMap<net.Socket, RawRequest>,
): void {
  const before = requests.get(socket);
  before?.record.left();
  const request: RawRequest = { record, head: '' };
  requests.set(socket, request);
  addTo(request, given);
  if (before === undefined) readAnswers(socket, requests);
}

/** Adds what follows the head to the body. */
function addTo(request: RawRequest, given: readonly unknown[]): void {
  if (request.head === undefined) {
    take(request.record.request, given);
    return;
  }
  const head = request.head + textOf(given);
  const end = head.indexOf('\r\n\r\n');
  request.head = end === -1 && head.length < mostHead ? head : undefined;
  if (end !== -1) request.record.request.add(Buffer.from(head.slice(end + 4), 'latin1'));
}

function textOf([chunk, encoding]: readonly unknown[]): string {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk).toString('latin1');
  if (typeof chunk !== 'string') return '';
  const isNamed = typeof encoding === 'string' && Buffer.isEncoding(encoding);
  return Buffer.from(chunk, isNamed ? encoding : 'utf8').toString('latin1');
}

/** The address of a request; the host that it names may be on another machine than the socket. */
function urlOf(socket: Socket, head: string): string {
  const [, path = '/'] = /^POST (\S+)/.exec(head) ?? [];
  if (/^https?:/.test(path)) return path;
  const [, host] = /\r\nhost: *([^\s]+)/i.exec(head) ?? [];
  const { servername, encrypted, remoteAddress, _host } = socket as Socket & {
    readonly servername?: string | false;
    readonly encrypted?: boolean;
    readonly _host?: string | null;
  };
  const peer = servername || _host || remoteAddress || 'unknown';
  return `${encrypted ? 'https' : 'http'}://${host ?? peer}${path}`;
}

/** Notes the status of each answer, without reading it. */
function readAnswers(socket: Socket, requests: WeakMap<net.Socket, RawRequest>): void {
  const { push } = socket;
  socket.push = function (this: Socket, chunk: unknown, encoding?: BufferEncoding) {
    const text = chunk === null ? '' : textOf([chunk, encoding]).slice(0, 20);
    const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(text) ?? [];
    if (status !== undefined) requests.get(socket)?.record.answered(Number(status), {});
    return push.call(this, chunk, encoding);
  };
  // Of the class, which declares no symbols.
  (socket as EventEmitter).once(errorMonitor, (error) => {
    requests.get(socket)?.record.failed(error);
  });
  socket.once('close', () => requests.get(socket)?.record.left());
}
