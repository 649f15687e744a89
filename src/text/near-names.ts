import { createRequire } from 'node:module';

const longestName = 300;

/** Candidates that resemble `name`, nearest first, at most three. */
export function nearNames(name: string, candidates: Iterable<string>): string[] {
  // Comparing is quadratic in the length, and a name may come from a request.
  if (name.length > longestName) return [];
  const wanted = name.toLowerCase();
  const allowed = Math.max(1, Math.floor(wanted.length * 0.4));
  const distance = levenshtein();
  const near: { readonly candidate: string; readonly edits: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const text = candidate.toLowerCase();
    const edits = isSwapped(wanted, text) ? 1 : distance(wanted, text);
    const shorter = Math.min(wanted.length, text.length);
    const isPart = shorter >= 3 && (text.startsWith(wanted) || wanted.startsWith(text));
    if (edits <= allowed || isPart) near.push({ candidate, edits });
  }
  return near
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map((one) => one.candidate);
}

/** `Did you mean a or b?`, or `undefined` when no candidate is similar. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const near = nearNames(name, candidates);
  return near.length === 0 ? undefined : `Did you mean ${near.join(' or ')}?`;
}

/** Two swapped letters count as one typo. */
function isSwapped(a: string, b: string): boolean {
  if (a.length !== b.length) return false;
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  const swapped =
    a.slice(0, at) +
    a
      .slice(at, at + 2)
      .split('')
      .reverse()
      .join('') +
    a.slice(at + 2);
  return at !== -1 && swapped === b;
}

// Loaded on demand, because it is only needed for error messages.
function levenshtein(): (a: string, b: string) => number {
  const loaded: typeof import('fastest-levenshtein') = createRequire(import.meta.url)(
    'fastest-levenshtein',
  );
  return loaded.distance;
}
