import { isLoopbackName } from './loopback.js';
import { namePattern } from './name-pattern.js';
import { parsedUrl } from './parsed-url.js';

const loopback = ['localhost', '127.0.0.1', '[::1]'];

const patterns = new WeakMap<readonly string[], readonly RegExp[]>();

/**
 * True for an address whose host is in a list, with or without its port; `*` there stands for any characters. Each name of
 * this machine matches the others.
 */
export function hasHost(url: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0) return false;
  const known = patterns.get(hosts) ?? hosts.map(namePattern);
  patterns.set(hosts, known);
  const { hostname = '', port = '' } = parsedUrl(url) ?? {};
  const names = isLoopbackName(hostname) ? [hostname, ...loopback] : [hostname];
  const all = names.flatMap((name) => (port === '' ? [name] : [name, `${name}:${port}`]));
  return known.some((pattern) => all.some((one) => pattern.test(one)));
}
