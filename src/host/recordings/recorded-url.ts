import { isLoopbackName } from '../../text/loopback.js';
import { parsedUrl } from '../../text/parsed-url.js';
import { shortHash } from '../../text/short-hash.js';
import { isHarmlessQuery } from '../calls/stored-url.js';
import type { BodySanitizer } from './recorded-body.js';

/** Names of query values that are secret, or differ from call to call. */
const leftOut =
  /^(x-amz-.*|.*(key|token|secret|signature|password|credentials?|nonce|timestamp)|auth|authorization|code|expires|sig|ts|_)$/i;

/**
 * An address as recordings keep it: without user, password, fragment and the ports of loopback. Of the query, harmless
 * values are kept, secret and changing ones are left out, and all others are hashed: they are compared, but any may be a
 * key. `isGiven`: a client gets it, so the order and short numbers and words stay.
 */
export function toRecordedUrl(url: string, sanitizer: BodySanitizer, isGiven = false): string {
  const [, relative = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  const query = [...new URLSearchParams(search)]
    .map(([name, value]) => [name, toRecordedValue(name, value, isGiven)])
    .map((pair) => pair.map(encodeURIComponent).join('='));
  if (!isGiven) query.sort();
  const { protocol, host, hostname = '', pathname } = parsedUrl(url) ?? {};
  const server = isLoopbackName(hostname) ? 'localhost' : host;
  const base = server === undefined ? relative : `${protocol}//${server}${pathname}`;
  const whole = query.length === 0 ? base : `${base}?${query.join('&')}`;
  // Headers have no such character.
  return clean(isGiven ? whole : whole.replaceAll('%E2%80%A6', '…'), sanitizer);
}

// A client may follow a replayed redirect, whose address has hashes already.
const hashed = /^…[0-9a-f]{8}$/;

/** A short number, or short words. */
const plain = /^(\d{1,10}|[a-z]{1,12}([ _-][a-z]{1,12}){0,3})?$/i;

function toRecordedValue(name: string, value: string, isGiven: boolean): string {
  if (leftOut.test(name)) return '…';
  if (isHarmlessQuery(name) || hashed.test(value) || (isGiven && plain.test(value))) return value;
  return `…${shortHash(value, 8)}`;
}

function clean(url: string, sanitizer: BodySanitizer): string {
  return String(sanitizer.callText(url));
}
