import type { FullPair } from './cases/pair-cases.js';

/** The judge of a score differs between two runs; plain JSON. */
export interface JudgeDrift {
  /** `changed`: other versions of its rubric. `may_have_changed`: the versions of one run are not known. */
  readonly status: 'changed' | 'may_have_changed';
  /** The `rubric_version` of its scores, sorted; empty where none is known. */
  readonly base: readonly string[];
  readonly other: readonly string[];
}

/**
 * The scores, by key, whose judge is another one in the other run. Pairs in which both versions are known decide; without any, a
 * score with known versions in one run only may have another judge. A score without versions in both runs is not told of, and neither is
 * a pair that has it in one run only.
 */
export function judgeDrifts(pairs: readonly FullPair[]): ReadonlyMap<string, JudgeDrift> {
  const byKey = new Map<string, Sides>();
  for (const { base, other } of pairs) {
    for (const [at, { key, rubrics: before }] of base.scores.entries()) {
      const same = other.scores[at];
      const score = same?.key === key ? same : other.scores.find((one) => one.key === key);
      const after = score?.rubrics;
      if (score === undefined || (before === undefined && after === undefined)) continue;
      let sides = byKey.get(key);
      if (sides === undefined) {
        sides = { known: noVersions(), half: noVersions() };
        byKey.set(key, sides);
      }
      const { base: was, other: is } = before && after ? sides.known : sides.half;
      for (const version of before ?? []) was.add(version);
      for (const version of after ?? []) is.add(version);
    }
  }
  return new Map([...byKey].flatMap(([key, sides]) => driftOf(sides).map((of) => [key, of])));
}

interface Versions {
  readonly base: Set<string>;
  readonly other: Set<string>;
}

interface Sides {
  /** Of the pairs that have a version in both runs. */
  readonly known: Versions;
  /** Of the pairs that have one in one run only. */
  readonly half: Versions;
}

function noVersions(): Versions {
  return { base: new Set(), other: new Set() };
}

/** The drift, if there is one. */
function driftOf({ known, half }: Sides): JudgeDrift[] {
  const isKnown = known.base.size > 0;
  const { base, other } = isKnown ? known : half;
  const isSame = base.size === other.size && [...base].every((version) => other.has(version));
  const status = isKnown ? 'changed' : 'may_have_changed';
  return isSame ? [] : [{ status, base: [...base].sort(), other: [...other].sort() }];
}
