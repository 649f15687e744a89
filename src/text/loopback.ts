import { parsedUrl } from './parsed-url.js';

/** True for an address of this machine. */
export function isLoopback(url: string): boolean {
  const parsed = parsedUrl(url);
  return parsed !== undefined && isLoopbackName(parsed.hostname);
}

/** True for the host name of an address of this machine. */
export function isLoopbackName(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\]|\[::ffff:7f[0-9a-f]{2}:[0-9a-f]+\]|\[::\]|0\.0\.0\.0)$/i.test(
    hostname,
  );
}
