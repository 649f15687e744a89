import { isIPv6 } from 'node:net';
import { AssayError } from '../../errors.js';

/** The names by which browsers may address a server, given its port. */
export interface OwnNames {
  /** Accepted values of `Host`, in lower case. */
  readonly hosts: (port: number) => readonly string[];
  /** Accepted values of `Origin`. */
  readonly origins: (port: number) => readonly string[];
}

/**
 * The names of a server that listens on the address `host`. Each of `allowedHosts` is `name` (with the port of the
 * server, or without a port) or `name:port`; a proxy with https may use it. Error: `usage` for an invalid one.
 */
export function ownNames(host: string, allowedHosts: readonly string[] = []): OwnNames {
  const bound = boundNames(host);
  const allowed = allowedHosts.map(checkAllowedHost);
  const ours = (port: number) => bound.flatMap((name) => withPort(name, port));
  const theirs = (port: number) =>
    allowed.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`]));
  return {
    hosts: (port) => [...ours(port), ...theirs(port)],
    origins: (port) => [
      ...ours(port).map((name) => `http://${name}`),
      ...theirs(port).flatMap((name) => [`http://${name}`, `https://${name}`]),
    ],
  };
}

/** True for a valid Host header: a name or an address, with or without a port. */
export function isHostForm(text: string): boolean {
  return /^(?:\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)(?::\d{1,5})?$/i.test(text);
}

function checkAllowedHost(name: string): string {
  if (isHostForm(name)) return name.toLowerCase();
  throw new AssayError('usage', `${JSON.stringify(name)} is not a valid host name.`, {
    hints: [
      'Write it as browsers do between // and the next slash: evals.example or evals.example:8443.',
    ],
  });
}

function boundNames(host: string): string[] {
  if (host === '::') return ['127.0.0.1', 'localhost', '[::1]'];
  if (isIPv6(host)) return ['localhost', `[${host.toLowerCase()}]`];
  return host === '0.0.0.0' || host === '127.0.0.1'
    ? ['127.0.0.1', 'localhost']
    : ['127.0.0.1', 'localhost', host];
}

// Browsers omit the default port of http.
function withPort(name: string, port: number): string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}
