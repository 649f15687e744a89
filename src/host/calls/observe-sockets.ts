import { subscribe } from 'node:diagnostics_channel';
import { type EventEmitter, errorMonitor } from 'node:events';
import net, { type Socket } from 'node:net';
import { replaceMethod } from '../replace-method.js';
import type { CallRecord, CallStart } from './call-record.js';

/** What was written to a socket that no client of ours observes, as far as it is a request. */
interface RawRequest {
  /** The head, or the beginning of its first word, as long as it is not complete; as Latin 1. */
  head: string | undefined;
  /** From the end of the head on; absent where the request is recorded elsewhere. */
  record?: CallRecord;
  /** Bytes of the body that are still to come; endless for a length that is not known. */
  left: number;
}

/** Begins a request of the running code; `undefined` where it is recorded elsewhere, an error where it is refused. */
type BeginRaw = (
  start: Pick<CallStart, 'method' | 'url' | 'isOpaque'>,
) => CallRecord | Error | undefined;

const mostHead = 64 * 1024;

/**
 * Records requests that code writes to a socket itself, from now on: by `net`, by `tls`, by clients of its own. Their first
 * word tells them from other protocols, such as those of databases.
 */
export function observeSockets(beginHere: BeginRaw): void {
  const requests = new WeakMap<net.Socket, RawRequest>();
  const observed = new WeakSet<Socket>();
  subscribe('undici:client:connected', (message) => {
    observed.add((message as { readonly socket: Socket }).socket);
  });
  const write = (socket: Socket, given: readonly unknown[]): void => {
    const known = requests.get(socket);
    if (known === undefined && !mayBePost(given[0])) return;
    const isOfClient = observed.has(socket) || '_httpMessage' in socket;
    if (!isOfClient) writeRaw(socket, bytesOf(given), { requests, beginHere });
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

const post = 'POST ';

/** True for the beginning of a request, or of its first word. */
function mayBePost(chunk: unknown): boolean {
  return typeof chunk === 'string'
    ? chunk.startsWith('P')
    : chunk instanceof Uint8Array && chunk[0] === post.charCodeAt(0);
}

/** True for the beginning of a `POST`, even of its first word. */
function beginsPost(text: string): boolean {
  return text.length > 0 && text.startsWith(post.slice(0, text.length));
}

interface Raw {
  readonly requests: WeakMap<Socket, RawRequest>;
  readonly beginHere: BeginRaw;
}

/** Takes what is written: a request may come in any number of pieces, and several on one socket. */
function writeRaw(socket: Socket, bytes: Buffer, raw: Raw): void {
  const { requests } = raw;
  const before = requests.get(socket);
  if (before !== undefined && before.head === undefined && before.left > 0) {
    const isNext = before.left === Infinity && beginsPost(bytes.toString('latin1', 0, post.length));
    const body = isNext ? bytes.subarray(0, 0) : bytes.subarray(0, before.left);
    before.record?.request.add(body);
    before.left -= body.length;
    const rest = bytes.subarray(body.length);
    if (!isNext) {
      if (rest.length > 0) writeRaw(socket, rest, raw);
      return;
    }
  }
  const begun = before?.head ?? '';
  if (!beginsPost(begun + bytes.toString('latin1', 0, post.length))) {
    if (before?.record === undefined) requests.delete(socket);
    return;
  }
  const head = begun + bytes.toString('latin1');
  const end = head.indexOf('\r\n\r\n');
  if (end === -1 && head.length < mostHead) {
    requests.set(socket, { ...before, head, left: 0 });
    return;
  }
  before?.record?.left();
  const record = raw.beginHere({ method: 'POST', url: urlOf(socket, head), isOpaque: true });
  if (record instanceof Error) {
    socket.destroy(record);
    return;
  }
  const [, length = Infinity] = /\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end)) ?? [];
  const next = { head: undefined, left: Number(length), ...(record && { record }) };
  if (before?.record === undefined && record !== undefined) readAnswers(socket, requests);
  requests.set(socket, next);
  const body = Buffer.from(end === -1 ? '' : head.slice(end + 4), 'latin1');
  if (body.length > 0) writeRaw(socket, body, raw);
}

function bytesOf([chunk, encoding]: readonly unknown[]): Buffer {
  if (chunk instanceof Uint8Array) {
    return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (typeof chunk !== 'string') return Buffer.alloc(0);
  const isNamed = typeof encoding === 'string' && Buffer.isEncoding(encoding);
  return Buffer.from(chunk, isNamed ? encoding : 'utf8');
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
    const text = bytesOf([chunk, encoding]).toString('latin1', 0, 20);
    const [, status] = /^HTTP\/1\.\d (\d{3})/.exec(text) ?? [];
    if (status !== undefined) requests.get(socket)?.record?.answered(Number(status), {});
    return push.call(this, chunk, encoding);
  };
  // Of the class, which declares no symbols.
  (socket as EventEmitter).once(errorMonitor, (error) => {
    requests.get(socket)?.record?.failed(error);
  });
  socket.once('close', () => requests.get(socket)?.record?.left());
}
