import { parsedUrl } from '../../text/parsed-url.js';
import { shortHash } from '../../text/short-hash.js';
import { isHarmlessQuery } from '../calls/stored-url.js';
import type { BodySanitizer } from './recorded-body.js';

/** Names of query values that are secret, or differ from call to call. */
const leftOut =
  /^(x-amz-.*|.*(key|token|secret|signature|password|credentials?|nonce|timestamp)|auth|authorization|code|expires|sig|ts|_)$/i;

/**
 * An address as recordings keep it: without user, password, fragment and the ports of loopback. Of the query, harmless
 * values are kept, secret and changing ones are left out, and all others are hashed: they are compared, but any may be a key.
 */
export function toRecordedUrl(url: string, sanitizer: BodySanitizer): string {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return clean(url.split(/[?#]/, 1)[0] ?? '', sanitizer);
  const { protocol, host, hostname, pathname, search } = parsed;
  const query = [...(search === '' ? [] : parsed.searchParams)]
    .map(([name, value]) => [name, toRecordedValue(name, value)])
    .map((pair) => pair.map((text) => encodeURIComponent(text).replaceAll('%E2%80%A6', '…')))
    .map((pair) => pair.join('='))
    .sort();
  const base = `${protocol}//${isLoopbackName(hostname) ? 'localhost' : host}${pathname}`;
  return clean(query.length === 0 ? base : `${base}?${query.join('&')}`, sanitizer);
}

// A client may follow a replayed redirect, whose address has hashes already.
const hashed = /^…[0-9a-f]{8}$/;

function toRecordedValue(name: string, value: string): string {
  if (leftOut.test(name)) return '…';
  if (isHarmlessQuery(name) || hashed.test(value)) return value;
  return `…${shortHash(value, 8)}`;
}

/** True for an address of this machine. */
export function isLoopback(url: string): boolean {
  const parsed = parsedUrl(url);
  return parsed !== undefined && isLoopbackName(parsed.hostname);
}

function isLoopbackName(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]|\[::\]|0\.0\.0\.0)$/i.test(
    hostname,
  );
}

function clean(url: string, sanitizer: BodySanitizer): string {
  return String(sanitizer.callText(url));
}
