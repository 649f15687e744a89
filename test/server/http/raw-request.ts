import { connect, type Socket } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  /** 0 when there was none. */
  readonly status: number;
  /** Lines of the head, as they came. */
  readonly head: readonly string[];
  /** All values of a header. */
  all(name: string): string[];
  /** The one value of a header. */
  header(name: string): string | undefined;
  readonly body: string;
  /** The body as JSON. */
  json(): unknown;
}

/** Opens a connection. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.off('error', reject).on('error', () => {});
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/** Sends just these bytes and reads until the server closes. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = await openSocket(port);
  socket.write(bytes);
  return parseAnswer(await readToEnd(socket));
}

/** Sends one request, with a right `Host` unless `headers` has one, and reads until the server closes. */
export function request(
  port: number,
  line: string,
  headers: readonly string[] = [],
  body = '',
): Promise<RawAnswer> {
  const host = headers.some((one) => /^host:/i.test(one)) ? [] : [`Host: 127.0.0.1:${port}`];
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const head = [`${line} HTTP/1.1`, ...host, 'Connection: close', ...length, ...headers];
  return sendRaw(port, `${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The same with a JSON body. */
export function requestJson(port: number, line: string, body: string): Promise<RawAnswer> {
  return request(port, line, ['Content-Type: application/json'], body);
}

/** Everything that comes until the connection is closed. */
export function readToEnd(socket: Socket): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** Reads an answer apart; a chunked body is put together. */
export function parseAnswer(bytes: Buffer): RawAnswer {
  const text = bytes.toString('utf8');
  const end = text.indexOf('\r\n\r\n');
  const [start = '', ...head] = text.slice(0, end === -1 ? undefined : end).split('\r\n');
  const raw = end === -1 ? '' : text.slice(end + 4);
  const all = (name: string) =>
    head
      .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      .map((line) => line.slice(name.length + 1).trim());
  const body = all('transfer-encoding').includes('chunked') ? joinChunks(raw) : raw;
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(start)?.[1] ?? 0),
    head,
    all,
    header: (name) => all(name)[0],
    body,
    json: () => JSON.parse(body),
  };
}

function joinChunks(raw: string): string {
  const bytes = Buffer.from(raw);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (lineEnd === -1 || !(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts).toString('utf8');
}
