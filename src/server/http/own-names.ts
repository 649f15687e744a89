import { isIPv6 } from 'node:net';

/** What a server may be called by browsers, given the port it is bound to. */
export interface OwnNames {
  /** Values of `Host`, in lower case. */
  readonly hosts: (port: number) => readonly string[];
  /** Values of `Origin`. */
  readonly origins: (port: number) => readonly string[];
}

/**
 * The names of a server that is bound to the address `host`. Each of `allowedHosts` is `name` (with the bound port, and
 * without one) or `name:port`; behind it may stand a proxy that speaks https.
 */
export function ownNames(host: string, allowedHosts: readonly string[] = []): OwnNames {
  const bound = boundNames(host);
  const allowed = allowedHosts.map((name) => name.toLowerCase());
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

function boundNames(host: string): string[] {
  if (host === '::') return ['127.0.0.1', 'localhost', '[::1]'];
  if (isIPv6(host)) return ['localhost', `[${host.toLowerCase()}]`];
  return host === '0.0.0.0' || host === '127.0.0.1'
    ? ['127.0.0.1', 'localhost']
    : ['127.0.0.1', 'localhost', host];
}

// Browsers leave out the port that http has anyway.
function withPort(name: string, port: number): string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}
