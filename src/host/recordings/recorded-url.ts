import { noKey } from '../../recordings/key-variables.js';
import { isLoopbackName } from '../../text/loopback.js';
import { parsedUrl } from '../../text/parsed-url.js';
import { shortHash } from '../../text/short-hash.js';
import { isHarmlessQuery } from '../calls/stored-url.js';
import type { BodySanitizer } from './recorded-body.js';

/** Names of query values that are secret, or differ from call to call. */
const leftOut =
  /^(x-amz-.*|.*(key|token|secret|signature|password|credentials?|nonce|timestamp)|auth|authorization|code|expires|sig|ts|_)$/i;

/** Names like those whose values say what is asked for: the next page, a key of a table. */
const asksFor =
  /^(next|prev|previous|page|continuation|sync|resume|skip|start|after|before|change)[-_]?(page[-_]?)?token$|^(sort|order|group|partition|row|primary|foreign|record|item|cache|object|start|end|from|exclusive[-_]?start)[-_]?key$/i;

/** Names of secrets that are also names of other values: a short one is no secret, unless it stands for a missing one. */
const ambiguous = /^(key|token|code)$/i;
const shortestSecret = 16;
const missing: readonly string[] = ['', '…', noKey, 'undefined', 'null'];

/** The first of the ports that systems give at random: a server that an evaluation starts has another one each time. */
const firstRandomPort = 32_768;

/**
 * An address as recordings keep it: without user, password, fragment and random ports of loopback. Of the query, harmless
 * values are kept, secret and changing ones are left out, and all others are hashed: they are compared, but any may be a
 * key. `isGiven`: a client gets it, so the order and short numbers and words stay.
 */
export function toRecordedUrl(url: string, sanitizer: BodySanitizer, isGiven = false): string {
  const [, relative = '', search = ''] = /^([^?#]*)(\?[^#]*)?/.exec(url) ?? [];
  const query = [...new URLSearchParams(search)]
    .map(([name, value]) => [
      name,
      isLeftOut(name, value, sanitizer) ? '…' : toRecordedValue(name, value, isGiven),
    ])
    .map((pair) => pair.map(encodeURIComponent).join('='));
  if (!isGiven) query.sort();
  const { protocol, host, hostname = '', port = '', pathname } = parsedUrl(url) ?? {};
  const own = port === '' || Number(port) >= firstRandomPort ? 'localhost' : `localhost:${port}`;
  const server = isLoopbackName(hostname) ? own : host;
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
  if (isHarmlessQuery(name) || hashed.test(value) || (isGiven && plain.test(value))) return value;
  return `…${shortHash(value, 8)}`;
}

function isLeftOut(name: string, value: string, sanitizer: BodySanitizer): boolean {
  if (!leftOut.test(name) || asksFor.test(name)) return false;
  if (!ambiguous.test(name) || value.length >= shortestSecret) return true;
  return missing.includes(value) || clean(value, sanitizer) !== value;
}

function clean(url: string, sanitizer: BodySanitizer): string {
  return String(sanitizer.callText(url));
}
