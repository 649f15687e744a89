import { namePattern } from './name-pattern.js';
import { parsedUrl } from './parsed-url.js';

const patterns = new WeakMap<readonly string[], readonly RegExp[]>();

/** True for an address whose host is in a list, with or without its port; `*` there stands for any characters. */
export function hasHost(url: string, hosts: readonly string[]): boolean {
  if (hosts.length === 0) return false;
  const known = patterns.get(hosts) ?? hosts.map(namePattern);
  patterns.set(hosts, known);
  const { host = '', hostname = '' } = parsedUrl(url) ?? {};
  return known.some((pattern) => pattern.test(host) || pattern.test(hostname));
}
