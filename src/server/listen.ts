import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { type AddressInfo, isIP, type Socket } from 'node:net';
import { AssayError, hasSystemCode } from '../errors.js';
import type { App } from './app.js';
import { defaultLimits } from './http/limits.js';
import { ProblemError, problemDocument } from './http/problem.js';
import { securityHeaders } from './http/send.js';

/** Time limits for clients, in milliseconds. */
interface Deadlines {
  /** For all headers of a request. */
  readonly headers: number;
  /** For a whole request. */
  readonly request: number;
  /** Interval at which both limits are checked. */
  readonly check: number;
  /** For answers that are under way when the server closes. */
  readonly close: number;
}

export interface ListenOptions {
  /** An address, never a name. Default: 127.0.0.1. */
  readonly host?: string;
  /** 0: any free one. Absent: 8000 or the next free of the nine that follow. */
  readonly port?: number;
  readonly deadlines?: Partial<Deadlines>;
}

/** A server that can be reached. */
export interface Listening {
  /** Its address on this machine: `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly port: number;
  /** Ends event streams, then idle connections, then all others at the deadline. */
  close(): Promise<void>;
}

const defaultDeadlines: Deadlines = {
  headers: 10_000,
  request: 30_000,
  check: 1_000,
  close: 4_000,
};

const firstPort = 8000;
const furtherPorts = 9;

/** Makes an app reachable. Errors: `usage` for a host that is not safe or not there, `port-in-use`. */
export async function listen(app: App, options: ListenOptions = {}): Promise<Listening> {
  const { host = '127.0.0.1', port } = options;
  const deadlines = { ...defaultDeadlines, ...options.deadlines };
  checkHost(host, app.hasToken);
  checkPort(port);
  const server = createHttpServer(deadlines);
  const connections = connect(server, app);
  const bound = await bind(server, host, port);
  server.on('error', (error) => app.onBug(error, 'accepting connections'));
  return {
    url: `http://${nameInUrl(host)}:${bound}`,
    port: bound,
    close: () => close(server, app, connections, deadlines.close),
  };
}

/** True for addresses that only this machine can reach. */
export function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

// Every address at once is no address that a browser could go to.
function nameInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Error: `usage` for an invalid address, and without a token for one that others can reach. */
export function checkHost(host: string, hasToken: boolean): void {
  if (isIP(host) === 0) {
    throw new AssayError('usage', `${JSON.stringify(host)} is not an address to listen on.`, {
      hints: ['Give an IP address, such as 127.0.0.1, or 0.0.0.0 for the whole network.'],
    });
  }
  if (isLoopback(host) || hasToken) return;
  throw new AssayError('usage', `Other machines can reach ${host}, so a token is needed.`, {
    hints: ['Add --token auto, or a token of your own with --token or ASSAY_TOKEN.'],
  });
}

/** Error: `usage` for an invalid port. */
export function checkPort(port: number | undefined): void {
  if (port === undefined || (Number.isInteger(port) && port >= 0 && port <= 65_535)) return;
  throw new AssayError(
    'usage',
    `${port} is not a port: it must be a whole number from 0 to 65535.`,
  );
}

function createHttpServer(deadlines: Deadlines): Server {
  return createServer({
    headersTimeout: deadlines.headers,
    requestTimeout: deadlines.request,
    connectionsCheckingInterval: deadlines.check,
    // Short, so that descriptors that ran out come back soon.
    keepAliveTimeout: 5_000,
    // The access check asks for it, and answers with a problem document.
    requireHostHeader: false,
  });
}

function connect(server: Server, app: App): Connections {
  const connections = new Connections(server);
  const answer: App['handler'] = (request, response) => {
    connections.add(request, response);
    app.handler(request, response);
  };
  server.on('request', answer);
  // The reader of the body asks for it, so a refused body is never sent.
  server.on('checkContinue', answer);
  server.on('checkExpectation', answer);
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: ParserError, stream) => {
    // Node's types speak of any duplex stream; without TLS it is the socket.
    const socket = stream as Socket;
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable || connections.isAnswering(socket)) socket.destroy();
    else refuseUnparsed(socket, error, defaultLimits.linger);
  });
  return connections;
}

async function bind(server: Server, host: string, port: number | undefined): Promise<number> {
  const last = firstPort + furtherPorts;
  for (let candidate = port ?? firstPort; ; candidate++) {
    try {
      return await bindTo(server, host, candidate);
    } catch (error) {
      const isTaken = hasSystemCode(error, 'EADDRINUSE');
      if (isTaken && port === undefined && candidate < last) continue;
      throw isTaken ? portInUse(port, last) : bindFailure(error, host, candidate);
    }
  }
}

function bindTo(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      // A server that listens at a port has an address of this kind.
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function portInUse(port: number | undefined, last: number): AssayError {
  return port === undefined
    ? new AssayError('port-in-use', `The ports ${firstPort} to ${last} are all in use.`, {
        hints: ['Choose another with --port, or let --port 0 find a free one.'],
      })
    : new AssayError('port-in-use', `Port ${port} is in use.`, {
        hints: ['Choose another with --port, let --port 0 find a free one, or omit --port.'],
      });
}

function bindFailure(error: unknown, host: string, port: number): unknown {
  if (hasSystemCode(error, 'EACCES')) {
    return new AssayError('usage', `You may not listen at port ${port}; choose one above 1023.`);
  }
  if (hasSystemCode(error, 'EADDRNOTAVAIL', 'EINVAL', 'EAFNOSUPPORT')) {
    return new AssayError('usage', `This machine has no address ${host}.`);
  }
  return error;
}

async function close(
  server: Server,
  app: App,
  connections: Connections,
  deadline: number,
): Promise<void> {
  app.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  connections.endIdle();
  const timer = setTimeout(() => connections.destroyAll(), deadline);
  await closed;
  clearTimeout(timer);
}

/** The connections of a server and their pending answers. */
class Connections {
  readonly #answers = new Map<Socket, Set<ServerResponse>>();
  #isClosing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#answers.set(socket, new Set());
      socket.once('close', () => this.#answers.delete(socket));
    });
  }

  /** Records that a request is being answered. */
  add({ socket }: IncomingMessage, response: ServerResponse): void {
    const answers = this.#answers.get(socket);
    answers?.add(response);
    response.once('close', () => {
      answers?.delete(response);
      if (this.#isClosing && answers?.size === 0) socket.end();
    });
  }

  /** True when an answer has been sent in part, so that nothing else may be written. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#answers.get(socket) ?? [])].some((response) => response.headersSent);
  }

  /** Closes idle connections, and each other one after its answer. */
  endIdle(): void {
    this.#isClosing = true;
    for (const [socket, answers] of this.#answers) if (answers.size === 0) socket.destroy();
  }

  destroyAll(): void {
    for (const socket of this.#answers.keys()) socket.destroy();
  }
}

/** The error of Node's HTTP parser. */
interface ParserError extends Error {
  readonly code?: string;
  /** The bytes that were parsed. */
  readonly rawPacket?: Buffer;
}

/**
 * Answers a request that could not be parsed: too slow, too long, or not HTTP. Closes the connection, after
 * `linger` milliseconds at the latest.
 */
function refuseUnparsed(socket: Socket, error: ParserError, linger: number): void {
  const problem = refusalOfParser(error);
  const body = `${JSON.stringify(problemDocument(problem))}\n`;
  const headers = {
    ...securityHeaders,
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`,
  );
  // If the connection is closed while data arrives, the system resets it, and the client may never read the answer.
  setTimeout(() => socket.destroy(), linger).unref();
}

function refusalOfParser({ code, rawPacket }: ParserError): ProblemError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new ProblemError(408, 'The request took too long to arrive.');
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return /^[A-Z]+ [^ ]{8192}/.test(rawPacket?.toString('latin1') ?? '')
      ? new ProblemError(414, 'The URL is too long.')
      : new ProblemError(431, 'The headers are too long.');
  }
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') {
    return new ProblemError(413, 'The chunk extensions of the body are too long.');
  }
  return new ProblemError(400, 'This is not an HTTP request that can be understood.');
}
