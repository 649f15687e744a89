import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { AssayError } from '../../errors.js';
import { ProblemError } from './problem.js';
import type { Target } from './read-request.js';

/** The access token, which comes in a header, or in a cookie that a one-time link sets. */
export class AccessToken {
  readonly #token: string;
  readonly #links = new Set<string>();
  // Browsers send cookies to every port of a host, so the cookie does not contain the token itself.
  readonly #session = randomBytes(32).toString('base64url');

  /** Error: `usage` for a token that is too short, or that no Authorization header can contain. */
  constructor(token: string) {
    checkToken(token);
    this.#token = token;
    this.#links.add(digest(token).toString('hex'));
  }

  /** True when a request has the token, or the session cookie. */
  isHeldBy(headers: IncomingHttpHeaders, port: number): boolean {
    const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (bearer !== undefined && isSame(bearer, this.#token)) return true;
    const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    return cookies.some(
      ([name, value]) => name === cookieName(port) && isSame(value ?? '', this.#session),
    );
  }

  /** Creates a one-time link that signs in one browser. */
  makeLink(): string {
    const secret = randomBytes(32).toString('base64url');
    this.#links.add(digest(secret).toString('hex'));
    return `/?token=${secret}`;
  }

  /** The cookie for the secret of a link; `undefined` if it is wrong or already used. */
  signIn(secret: string, port: number): string | undefined {
    // Looks up a digest, so that the time does not reveal anything.
    if (!this.#links.delete(digest(secret).toString('hex'))) return undefined;
    return `${cookieName(port)}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }
}

// Shorter tokens can be guessed by trying.
const shortestToken = 16;

/** Error: `usage` for a token that is too short, or that no Authorization header can contain. */
export function checkToken(token: string): void {
  const hints = ['Let --token auto make one.'];
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const text = 'The token must be ASCII text without spaces, and not empty.';
    throw new AssayError('usage', text, { hints });
  }
  if (token.length >= shortestToken) return;
  const text = `The token must have at least ${shortestToken} characters, this one has ${token.length}.`;
  throw new AssayError('usage', text, { hints });
}

function cookieName(port: number): string {
  return `assay_${port}`;
}

function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The secret of a sign-in link; `undefined` for every other request. */
export function linkSecret({ method }: IncomingMessage, target: Target): string | undefined {
  if (method !== 'GET' || target.path !== '/') return undefined;
  return new URLSearchParams(target.query).get('token') ?? undefined;
}

/** Exchanges a link for a cookie and redirects to the start page, whose address contains no secret. Error: 401. */
export function signIn(response: ServerResponse, token: AccessToken, secret: string): void {
  const port = response.req.socket.localPort ?? 0;
  const cookie = token.signIn(secret, port);
  if (cookie !== undefined) response.setHeader('Set-Cookie', cookie);
  else if (!token.isHeldBy(response.req.headers, port)) {
    throw new ProblemError(
      401,
      'This link is invalid or has already been used: each works once. Start the server again for a new one, or send the token as "Authorization: Bearer TOKEN".',
      { headers: { 'WWW-Authenticate': 'Bearer realm="assay"' } },
    );
  }
  response.statusCode = 303;
  response.setHeader('Location', '/');
  response.end();
}
