import { parsedUrl } from '../../text/parsed-url.js';

const harmlessQuery = new Set(['alt', 'api-version', 'beta', 'model', 'stream', 'version']);

/** True for a part of a query whose value is no secret; the value of any other may be a key. */
export function isHarmlessQuery(name: string): boolean {
  return harmlessQuery.has(name.toLowerCase());
}

/** An address without user, password and fragment, and with harmless query values only. */
export function storedUrl(url: string): string {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return url.split(/[?#]/, 1)[0] ?? '';
  const query = [...(parsed.search === '' ? [] : parsed.searchParams)].map(([name, value]) =>
    isHarmlessQuery(name)
      ? `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
      : `${encodeURIComponent(name)}=…`,
  );
  const base = `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  return query.length === 0 ? base : `${base}?${query.join('&')}`;
}
