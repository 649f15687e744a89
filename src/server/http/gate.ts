import type { IncomingMessage } from 'node:http';
import type { AccessToken } from './access-token.js';
import { isHostForm, type OwnNames } from './own-names.js';
import { ProblemError } from './problem.js';
import { hasBody } from './read-body.js';
import type { Target } from './read-target.js';

/** What the rules of the gate go by. */
export interface GateOptions {
  readonly names: OwnNames;
  /** True for paths of the API; the others are pages and files of the web UI. */
  readonly isApi: (path: string) => boolean;
}

/** A request on its way through the gate. */
interface Visit extends GateOptions {
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly port: number;
  readonly token: AccessToken | undefined;
}

/** Throws a `ProblemError` when a request may not come in. Without a token, everybody who can connect may. */
export type Gate = (
  request: IncomingMessage,
  target: Target,
  token: AccessToken | undefined,
) => void;

/** Who may talk to the server: every rule holds for every request, pages and files included. Throws what refuses it. */
const rules: readonly ((visit: Visit) => void)[] = [
  // a name that an attacker points at this machine (DNS rebinding)
  hostIsOurs,
  // a web page that starts, edits, deletes
  writerIsOurs,
  // a web page that reads
  readerIsOurs,
  // the network, and other users of the machine
  tokenIsHeld,
  // a form of a web page that sends what only looks like JSON
  bodyIsJson,
];

/** Makes the gate of a server. */
export function createGate(options: GateOptions): Gate {
  return (request, target, token) => {
    const visit = { ...options, request, target, token, port: request.socket.localPort ?? 0 };
    for (const rule of rules) rule(visit);
  };
}

function hostIsOurs({ request, target, names, port }: Visit): void {
  const [named, ...more] = request.headersDistinct.host ?? [];
  if (named === undefined) throw new ProblemError(400, 'The Host header is missing.');
  if (more.length > 0) throw new ProblemError(400, 'There is more than one Host header.');
  // RFC 9112, 3.2.2: where the URL names a host, the header is ignored.
  const host = target.authority ?? named;
  if (!isHostForm(host)) {
    const where = target.authority === undefined ? 'Host header' : 'host in the URL';
    throw new ProblemError(400, `The ${where} is not of the form name:port.`);
  }
  if (names.hosts(port).includes(host.toLowerCase())) return;
  throw new ProblemError(
    403,
    `This server does not go by the name ${host}; start it with --allowed-host if it should.`,
  );
}

function writerIsOurs({ request, names, port }: Visit): void {
  if (isRead(request) || request.method === 'OPTIONS') return;
  const { origin } = request.headers;
  const isForeign = origin !== undefined && !names.origins(port).includes(origin.toLowerCase());
  if (isForeign || comesFromElsewhere(request)) throw foreign();
}

function readerIsOurs({ request, target, isApi }: Visit): void {
  if (isRead(request) && isApi(target.path) && comesFromElsewhere(request)) throw foreign();
}

function tokenIsHeld({ request, token, port }: Visit): void {
  if (token === undefined || token.isHeldBy(request.headers, port)) return;
  throw new ProblemError(
    401,
    'This server wants its token: send it as "Authorization: Bearer TOKEN", or open the link that the server printed.',
    { headers: { 'WWW-Authenticate': 'Bearer realm="assay"' } },
  );
}

function bodyIsJson({ request }: Visit): void {
  if (isRead(request) || request.method === 'OPTIONS' || !hasBody(request)) return;
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  const isJson = /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset="?utf-8"?\s*)?$/i.test(type);
  if (isJson && encoding === 'identity') return;
  throw new ProblemError(
    415,
    'The body must be JSON: send it uncompressed, with "Content-Type: application/json".',
  );
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD';
}

// A site that browsers will know one day is refused as well.
function comesFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function foreign(): ProblemError {
  return new ProblemError(403, 'Web pages of other origins may not talk to this server.');
}
