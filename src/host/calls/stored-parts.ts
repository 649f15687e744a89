import type { Call } from '../../model/calls/model-call.js';
import type { Json } from '../../model/result.js';
import { parsedUrl } from '../../text/parsed-url.js';

/** Removes secrets from stored calls. */
export interface CallSanitizer {
  text(text: string): string;
  callText(value: Json): Json;
}

/** A call without secrets; messages and tools are cleaned separately, once for all calls. */
export function cleanCall({ model_call, ...call }: Call, sanitizer: CallSanitizer): Call {
  if (model_call === undefined) return cleanFields(call, sanitizer);
  const { messages, answer, tools, usage, ...rest } = model_call;
  const exchange = {
    ...cleanFields(rest, sanitizer),
    ...(messages && { messages }),
    ...(answer && { answer }),
    ...(tools && { tools }),
    ...(usage && { usage }),
  };
  return { ...cleanFields(call, sanitizer), model_call: exchange };
}

/** Numbers stay as they are: one may be a secret by chance only. */
function cleanFields<Fields extends object>(fields: Fields, sanitizer: CallSanitizer): Fields {
  const clean = (value: unknown) => {
    if (typeof value === 'string') return sanitizer.text(value);
    return typeof value === 'object' ? sanitizer.callText(value as Json) : value;
  };
  const cleaned: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) cleaned[name] = clean(value);
  return cleaned as Fields;
}

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

/** The message of an error with that of its cause: fetch says only `fetch failed`. */
export function errorLine(error: unknown): string {
  const texts: string[] = [];
  for (let at = error; at instanceof Error && texts.length < 3; at = at.cause) {
    texts.push(at.message === '' ? at.name : at.message);
  }
  const text = texts.length === 0 ? String(error) : texts.join(': ');
  // Errors quote addresses with the password in them.
  return text
    .replace(/\s+/g, ' ')
    .replace(/:\/\/[^/ ]*@/g, '://')
    .slice(0, 500);
}
