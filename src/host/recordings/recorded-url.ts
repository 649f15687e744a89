import { parsedUrl } from '../../text/parsed-url.js';
import type { BodySanitizer } from './recorded-body.js';

/** Names of query values that are secret, or differ from call to call. */
const leftOut =
  /^(x-amz-.*|.*(key|token|secret|signature|password|credentials?|nonce|timestamp)|auth|authorization|code|expires|sig|ts|_)$/i;

/** An address as recordings keep it: without user, password, fragment, secret and changing query values, and the ports of loopback. */
export function toRecordedUrl(url: string, sanitizer: BodySanitizer): string {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return clean(url.split(/[?#]/, 1)[0] ?? '', sanitizer);
  const { protocol, host, hostname, pathname, search } = parsed;
  const query = [...(search === '' ? [] : parsed.searchParams)]
    .map(([name, value]) => [name, leftOut.test(name) ? '…' : value])
    .map((pair) => pair.map((text) => encodeURIComponent(text).replaceAll('%E2%80%A6', '…')))
    .map((pair) => pair.join('='))
    .sort();
  const base = `${protocol}//${isLoopbackName(hostname) ? 'localhost' : host}${pathname}`;
  return clean(query.length === 0 ? base : `${base}?${query.join('&')}`, sanitizer);
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
