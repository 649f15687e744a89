import { parsedUrl } from '../../text/parsed-url.js';

/** Values of these parts of a query are kept; all others may be keys. */
const keptQuery = new Set(['alt', 'api-version', 'beta', 'model', 'stream', 'version']);

/** An address without user, password and fragment, and with harmless query values only. */
export function storedUrl(url: string): string {
  const parsed = parsedUrl(url);
  if (parsed === undefined) return url.split(/[?#]/, 1)[0] ?? '';
  const query = [...(parsed.search === '' ? [] : parsed.searchParams)].map(([name, value]) =>
    keptQuery.has(name.toLowerCase())
      ? `${encodeURIComponent(name)}=${encodeURIComponent(value)}`
      : `${encodeURIComponent(name)}=…`,
  );
  const base = `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
  return query.length === 0 ? base : `${base}?${query.join('&')}`;
}
