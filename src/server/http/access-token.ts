import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AssayError } from '../../errors.js';

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
