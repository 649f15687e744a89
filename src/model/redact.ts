/** Takes secrets out of text. */
export interface Redactor {
  /** Replaces every known secret by `[redacted:NAME]`; returns the very same text when there is none. */
  redact(text: string): string;
  /** The same for text that was cut at its end, where the beginning of a secret may be left. */
  redactCut(text: string): string;
  /** The variables whose values are replaced. */
  readonly names: readonly string[];
}

interface Secret {
  readonly name: string;
  readonly value: string;
}

interface Hit {
  readonly start: number;
  readonly end: number;
  readonly secret: Secret;
}

const secretName = /(^|_)(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)$/i;
const shortestSecret = 8;

/**
 * Makes a redactor for the secrets in an environment: values of 8 characters or more of variables whose names end
 * in `_KEY`, `_TOKEN`, `_SECRET`, `_PASSWORD` or `_CREDENTIALS`, or are just that word, in any case. A value for which
 * `exists` says that it is the path of something is none. Also finds a secret as it stands inside JSON and URLs.
 */
export function createRedactor(
  env: Readonly<Record<string, string | undefined>>,
  exists: (path: string) => boolean,
): Redactor {
  const secrets = findSecrets(env, exists);
  const names = [...new Set(secrets.map((secret) => secret.name))];
  if (secrets.length === 0) return { redact: (text) => text, redactCut: (text) => text, names };
  const redact = (text: string) => replaceHits(text, findHits(text, secrets));
  return { redact, redactCut: (text) => redact(withoutBegunSecret(text, secrets)), names };
}

/** True for a field whose value is replaced in logs and traces: `authorization`, `x-api-key`, `Set-Cookie`, … */
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
    const forms = [
      value,
      JSON.stringify(value).slice(1, -1),
      encodeURIComponent(value.toWellFormed()),
    ];
    for (const form of forms) {
      if (!byValue.has(form)) byValue.set(form, { name, value: form });
    }
  }
  return [...byValue.values()].sort((a, b) => b.value.length - a.value.length);
}

// Fewer characters give nothing away, and any text may end with them.
const shortestBeginning = 4;

function withoutBegunSecret(text: string, secrets: readonly Secret[]): string {
  const lengths = secrets.map(({ value }) => {
    const longest = Math.min(value.length - 1, text.length);
    for (let length = longest; length >= shortestBeginning; length -= 1) {
      if (text.endsWith(value.slice(0, length))) return length;
    }
    return 0;
  });
  return text.slice(0, text.length - Math.max(0, ...lengths));
}

function findHits(text: string, secrets: readonly Secret[]): Hit[] {
  const hits: Hit[] = [];
  for (const secret of secrets) {
    let at = text.indexOf(secret.value);
    while (at !== -1) {
      hits.push({ start: at, end: at + secret.value.length, secret });
      at = text.indexOf(secret.value, at + secret.value.length);
    }
  }
  return hits;
}

/** Replaces what the hits cover. Where they overlap, all of it goes, under the name of the longest secret. */
function replaceHits(text: string, hits: readonly Hit[]): string {
  if (hits.length === 0) return text;
  // Longest first where two start together, which the order of the secrets already is.
  const sorted = [...hits].sort((a, b) => a.start - b.start);
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
