import { shortHash } from '../text/short-hash.js';
import { convert } from '../values/convert.js';

/** The first 12 hexadecimal digits of a hash of what a judge is: values as they are stored, so examples that it shows alike are alike. */
export function judgeVersion(kind: string, of: object): string {
  return shortHash(JSON.stringify(convert([kind, of]).value), 12);
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
