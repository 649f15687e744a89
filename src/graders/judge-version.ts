import { createRequire } from 'node:module';

/** The first 12 hexadecimal digits of a hash of what a judge is. Errors: `TypeError` for a cycle. */
export function judgeVersion(kind: string, of: object): string {
  return hashOf(JSON.stringify([kind, of], told)).slice(0, 12);
}

/** What JSON would leave out, or write as something else. */
function told(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { bigint: String(value) };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (value instanceof Map || value instanceof Set) return { entries: [...value] };
  return value;
}

/** The version of a judge, or of a combination with one. */
function versionOf(evaluator: object): string | undefined {
  const { version } = evaluator as { readonly version?: unknown };
  return typeof version === 'string' && /^[\da-f]{12}$/.test(version) ? version : undefined;
}

/** Gives a combination the versions of the judges among its parts, and what else it is; none without a judge. */
export function withVersions<E extends object>(
  evaluator: E,
  parts: readonly (object & { readonly name: string })[],
  of: object,
): E {
  const versions = parts.map((part) => versionOf(part) ?? null);
  if (versions.every((one) => one === null)) return evaluator;
  const names = parts.map(({ name }) => name);
  return Object.assign(evaluator, { version: judgeVersion('combined', { of, names, versions }) });
}

/** The SHA-256 of a text. */
export function hashOf(text: string): string {
  // Loaded for the first judge: it takes longer than the graders.
  const crypto: typeof import('node:crypto') = createRequire(import.meta.url)('node:crypto');
  return crypto.createHash('sha256').update(text).digest('hex');
}
