import { type EncodedSecret, encodedSecret, type SecretPattern } from './encoded-secret.js';

/** Removes secrets from text. */
export interface Redactor {
  /** Replaces every known secret with `[redacted:NAME]`; returns the same string if there is none. */
  redact(text: string): string;
  /** Like `redact`, for text that was cut at its end, which may contain the beginning of a secret. */
  redactCut(text: string): string;
  /** The replacement for a number that is, or contains, a secret of digits; absent if there is no such secret. */
  readonly redactNumber?: (value: number) => string | undefined;
  /** The names of the variables whose values are replaced. */
  readonly names: readonly string[];
}

interface Secret {
  readonly name: string;
  readonly value: string;
  readonly encoded: EncodedSecret;
  /** The beginnings to look for in text that was cut: plain, in JSON, in a URL. */
  readonly beginnings: readonly string[];
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly secret: Secret;
}

const secretName = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/i;
const shortestSecret = 8;

/**
 * Creates a redactor for the secrets in an environment: values of at least 8 characters, of variables whose names
 * end in `_KEY`, `_TOKEN`, `_SECRET`, `_PASSWORD` or `_CREDENTIALS`, or are just that word, in any case. Values for
 * which `exists` returns true are paths, not secrets. The redactor also finds secrets that are percent-encoded,
 * form-encoded, in JSON, HTML or Base64, or a number.
 */
export function createRedactor(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): Redactor {
  const secrets = findSecrets(env, exists);
  const names = [...new Set(secrets.map((secret) => secret.name))];
  if (secrets.length === 0) return { redact: (text) => text, redactCut: (text) => text, names };
  const findHits = hitFinder(secrets);
  const redact = (text: string) => replaceHits(text, findHits(text));
  const redactNumber = numberRedactor(secrets, redact);
  return {
    redact,
    redactCut: (text) => redact(withoutBegunSecret(text, secrets)),
    ...(redactNumber && { redactNumber }),
    names,
  };
}

/** A number may have lost digits of a long secret. */
function numberRedactor(
  secrets: readonly Secret[],
  redact: (text: string) => string,
): Redactor['redactNumber'] {
  const names = new Map<number, string>();
  for (const { name, value } of secrets) {
    if (/^-?[0-9.]+$/.test(value)) names.set(Number(value), name);
  }
  if (names.size === 0) return undefined;
  return (value) => {
    const name = names.get(value) ?? names.get(-value);
    if (name !== undefined) return `[redacted:${name}]`;
    const text = String(value);
    const redacted = redact(text);
    return redacted === text ? undefined : redacted;
  };
}

/** True for a field whose value is redacted in logs and traces: `authorization`, `x-api-key`, `Set-Cookie`, … */
export function redactFields(key: string): boolean {
  const name = key
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
  return secretFields.test(name);
}

const secretFields =
  /^((proxy-)?authorization|(set-)?cookie2?|(.*-)?api-?key|(x-)?auth-token|access-token|refresh-token|client-secret)$/;

function findSecrets(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): Secret[] {
  const byValue = new Map<string, Secret>();
  for (const [name, raw] of Object.entries(env)) {
    const value = raw?.trim() ?? '';
    if (value.length < shortestSecret || !secretName.test(name) || exists(value)) continue;
    if (byValue.has(value)) continue;
    const beginnings = [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value.toWellFormed()),
    ];
    byValue.set(value, { name, value, encoded: encodedSecret(value), beginnings });
  }
  return [...byValue.values()].sort((a, b) => b.value.length - a.value.length);
}

// Fewer characters reveal nothing, and any text may end with them.
const shortestBeginning = 4;

function withoutBegunSecret(text: string, secrets: readonly Secret[]): string {
  const lengths = secrets.flatMap(({ beginnings }) =>
    beginnings.map((form) => {
      const longest = Math.min(form.length - 1, text.length);
      for (let length = longest; length >= shortestBeginning; length -= 1) {
        if (text.endsWith(form.slice(0, length))) return length;
      }
      return 0;
    }),
  );
  return text.slice(0, text.length - Math.max(0, ...lengths));
}

const mayBeEscaped = /[%&+]/;

/** Finds secrets in text, plain and encoded; for most text, only the plain search runs. */
function hitFinder(secrets: readonly Secret[]): (text: string) => Hit[] {
  const lengths = secrets.flatMap(({ encoded }) => encoded.base64.map((form) => form.length));
  const mayBeBase64 = new RegExp(`[A-Za-z0-9+/_-]{${Math.min(...lengths)}}`);
  return (text) => {
    const hits: Hit[] = [];
    const isEscaped = mayBeEscaped.test(text);
    const isJson = text.includes('\\');
    const isBase64 = mayBeBase64.test(text);
    for (const secret of secrets) {
      const { escaped, inJson, base64 } = secret.encoded;
      addHits(hits, text, secret, secret.value);
      if (isEscaped) addMatches(hits, text, secret, escaped);
      if (isJson) for (const pattern of inJson) addMatches(hits, text, secret, pattern);
      if (isBase64) for (const form of base64) addHits(hits, text, secret, form);
    }
    return hits;
  };
}

function addHits(hits: Hit[], text: string, secret: Secret, form: string): void {
  for (let at = text.indexOf(form); at !== -1; at = text.indexOf(form, at + form.length)) {
    hits.push({ start: at, end: at + form.length, secret });
  }
}

function addMatches(
  hits: Hit[],
  text: string,
  secret: Secret,
  { beginning, whole }: SecretPattern,
): void {
  let end = 0;
  for (const { index: start } of text.matchAll(beginning)) {
    if (start < end) continue;
    whole.lastIndex = start;
    if (!whole.test(text)) continue;
    end = whole.lastIndex;
    hits.push({ start, end, secret });
  }
}

/** Replaces the hits. Overlapping hits become one, with the name of the longest secret. */
function replaceHits(text: string, hits: readonly Hit[]): string {
  if (hits.length === 0) return text;
  // Longest first where two start together, because it gives the name.
  const sorted = [...hits].sort((a, b) => a.start - b.start || b.end - a.end);
  let redacted = '';
  let done = 0;
  for (let i = 0; i < sorted.length; ) {
    const first = sorted[i] as Hit;
    let { end, secret } = first;
    for (i += 1; i < sorted.length; i += 1) {
      const next = sorted[i] as Hit;
      if (next.start >= end) break;
      end = Math.max(end, next.end);
      if (next.secret.value.length > secret.value.length) secret = next.secret;
    }
    redacted += `${text.slice(done, first.start)}[redacted:${secret.name}]`;
    done = end;
  }
  return redacted + text.slice(done);
}
