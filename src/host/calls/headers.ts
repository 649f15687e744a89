const storedHeaders = new Set([
  'content-type',
  'request-id',
  'retry-after',
  'retry-after-ms',
  'x-amzn-requestid',
  'x-litellm-response-cost',
  'x-request-id',
]);
const rateLimit = /^(x-|anthropic-)?ratelimit-/;

/** Headers as Node has them, as text by lower-case name. */
export function headersOf(
  headers: Readonly<Record<string, unknown>> | undefined,
): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value !== undefined && !name.startsWith(':')) {
      texts[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
    }
  }
  return texts;
}

/** Headers as they are on the wire, names and values in turn. */
export function rawHeadersOf(raw: readonly (Uint8Array | string)[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (let at = 0; at + 1 < raw.length; at += 2) {
    texts[textOf(raw[at]).toLowerCase()] = textOf(raw[at + 1]);
  }
  return texts;
}

function textOf(value: Uint8Array | string | undefined): string {
  return typeof value === 'string' ? value : Buffer.from(value ?? []).toString('latin1');
}

/** The headers of an answer that may be stored; names in lower case. */
export function storedHeadersOf(
  headers: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const kept = Object.entries(headers).filter(
    ([name]) => storedHeaders.has(name) || rateLimit.test(name),
  );
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
