import { createRequire } from 'node:module';

/** The candidate that `name` is probably a slip of, if any is near enough. */
export function nearName(name: string, candidates: readonly string[]): string | undefined {
  const nearest = candidates
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .sort((a, b) => a.edits - b.edits)[0];
  if (nearest === undefined || nearest.edits >= name.length) return undefined;
  // Two letters that changed places are two edits.
  return nearest.edits <= Math.max(2, Math.floor(name.length / 3)) ? nearest.candidate : undefined;
}

function distance(a: string, b: string): number {
  // Required only when there is a mistake to explain: eval files should import fast.
  const levenshtein: typeof import('fastest-levenshtein') = createRequire(import.meta.url)(
    'fastest-levenshtein',
  );
  return levenshtein.distance(a.toLowerCase(), b.toLowerCase());
}
