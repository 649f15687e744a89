import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AssayError } from '../../errors.js';

/** Who holds the token: it comes in a header, or a link that works once turns it into a cookie. */
export class AccessToken {
  readonly #token: string;
  readonly #links = new Set<string>();
  // Cookies go to every port of a host, so the cookie is not the token itself.
  readonly #session = randomBytes(32).toString('base64url');

  /** Error: `usage` for a token that no Authorization header can carry, and for a short one. */
  constructor(token: string) {
    checkToken(token);
    this.#token = token;
    this.#links.add(digest(token).toString('hex'));
  }

  /** True when a request carries the token, or the cookie that stands for it. */
  isHeldBy(headers: IncomingHttpHeaders, port: number): boolean {
    const [, bearer] = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '') ?? [];
    if (bearer !== undefined && isSame(bearer, this.#token)) return true;
    const cookies = (headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
    return cookies.some(
      ([name, value]) => name === cookieName(port) && isSame(value ?? '', this.#session),
    );
  }

  /** Makes a link that signs one browser in: a path that works once. */
  makeLink(): string {
    const secret = randomBytes(32).toString('base64url');
    this.#links.add(digest(secret).toString('hex'));
    return `/?token=${secret}`;
  }

  /** The cookie for what stands in a link; `undefined` when it is wrong or was used before. */
  signIn(secret: string, port: number): string | undefined {
    // Looked up by its digest, so that the time it takes tells nothing.
    if (!this.#links.delete(digest(secret).toString('hex'))) return undefined;
    return `${cookieName(port)}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`;
  }
}

// Short ones can be guessed by asking often enough.
const shortestToken = 16;

/** Error: `usage` for a token that no Authorization header can carry, and for a short one. */
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
