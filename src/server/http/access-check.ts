import type { IncomingMessage } from 'node:http';
import type { AccessToken } from './access-token.js';
import { isHostForm, type OwnNames } from './host-names.js';
import { ProblemError } from './problem.js';
import { hasBody } from './read-body.js';
import type { Target } from './read-request.js';

/** The data that the access rules use. */
export interface AccessCheckOptions {
  readonly names: OwnNames;
  /** True for paths of the API; all others are pages and files of the web UI. */
  readonly isApi: (path: string) => boolean;
}

/** A request to check. */
interface CheckedRequest extends AccessCheckOptions {
  readonly request: IncomingMessage;
  readonly target: Target;
  readonly port: number;
  readonly token: AccessToken | undefined;
}

/** Throws a `ProblemError` to refuse a request. Without a token, everybody who can connect is accepted. */
export type AccessCheck = (
  request: IncomingMessage,
  target: Target,
  token: AccessToken | undefined,
) => void;

/** The access rules, which apply to every request, pages and files included. Each throws to refuse. */
const rules: readonly ((checked: CheckedRequest) => void)[] = [
  // against a host name that an attacker points at this machine (DNS rebinding)
  hostIsOurs,
  // against a web page that starts, edits, deletes
  writerIsOurs,
  // against a web page that reads
  readerIsOurs,
  // against the network, and other users of the machine
  tokenIsHeld,
  // against an HTML form that sends something that looks like JSON
  bodyIsJson,
];

/** Creates the access check of a server. */
export function createAccessCheck(options: AccessCheckOptions): AccessCheck {
  return (request, target, token) => {
    const checked = { ...options, request, target, token, port: request.socket.localPort ?? 0 };
    for (const rule of rules) rule(checked);
  };
}

function hostIsOurs({ request, target, names, port }: CheckedRequest): void {
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

function writerIsOurs({ request, names, port }: CheckedRequest): void {
  if (isRead(request) || request.method === 'OPTIONS') return;
  const { origin } = request.headers;
  const isForeign = origin !== undefined && !names.origins(port).includes(origin.toLowerCase());
  if (isForeign || comesFromElsewhere(request)) throw foreign();
}

function readerIsOurs({ request, target, isApi }: CheckedRequest): void {
  if (isRead(request) && isApi(target.path) && comesFromElsewhere(request)) throw foreign();
}

function tokenIsHeld({ request, token, port }: CheckedRequest): void {
  if (token === undefined || token.isHeldBy(request.headers, port)) return;
  throw new ProblemError(
    401,
    'This server requires its token: send it as "Authorization: Bearer TOKEN", or open the link that the server printed.',
    { headers: { 'WWW-Authenticate': 'Bearer realm="assay"' } },
  );
}

function bodyIsJson({ request }: CheckedRequest): void {
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

// Refuses unknown values too, which future browsers may send.
function comesFromElsewhere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

function foreign(): ProblemError {
  return new ProblemError(403, 'Web pages of other origins may not talk to this server.');
}
