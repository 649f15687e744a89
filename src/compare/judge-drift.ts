import type { CaseScore } from './cases/eval-case.js';
import type { FullPair } from './cases/pair-cases.js';

/** The judge of a score differs between two runs; plain JSON. */
export interface JudgeDrift {
  /**
   * `changed`: other versions of its rubric, or other models. `may_have_changed`: the versions of one run are not known, or
   * only the code that grades is another one.
   */
  readonly status: 'changed' | 'may_have_changed';
  /** The `rubric_version` of its scores, sorted; empty where none is known. */
  readonly base: readonly string[];
  readonly other: readonly string[];
  /** The models that it called, sorted; absent where they are the same, or not known. */
  readonly models?: { readonly base: readonly string[]; readonly other: readonly string[] };
  /** The code that grades is another one; absent where it is the same, or not known. */
  readonly grading?: true;
}

/** What tells judges apart. */
const marks = ['rubrics', 'models', 'grading'] as const satisfies readonly (keyof CaseScore)[];
type Mark = (typeof marks)[number];

/**
 * The scores, by key, whose judge is another one in the other run. Pairs in which a mark is known in both runs decide. Without any, a
 * score with known versions of its rubric in one run only may have another judge; models and code that are known in one run only say
 * nothing. A score without any mark is not told of, and neither is a pair that has it in one run only.
 */
export function judgeDrifts(pairs: readonly FullPair[]): ReadonlyMap<string, JudgeDrift> {
  const byKey = new Map<string, Record<Mark, Sides>>();
  for (const { base, other } of pairs) {
    for (const [at, before] of base.scores.entries()) {
      const { key } = before;
      const same = other.scores[at];
      const after = same?.key === key ? same : other.scores.find((one) => one.key === key);
      if (after === undefined || !(isMarked(before) || isMarked(after))) continue;
      let sides = byKey.get(key);
      if (sides === undefined) {
        sides = { rubrics: noSides(), models: noSides(), grading: noSides() };
        byKey.set(key, sides);
      }
      for (const mark of marks) addTo(sides[mark], before[mark], after[mark]);
    }
  }
  return new Map([...byKey].flatMap(([key, sides]) => driftOf(sides).map((of) => [key, of])));
}

/** Models are known of the judges that call some, and code is asked for only where one of the others is known. */
function isMarked({ rubrics, models }: CaseScore): boolean {
  return rubrics !== undefined || models !== undefined;
}

interface Found {
  readonly base: Set<string>;
  readonly other: Set<string>;
}

interface Sides {
  /** Of the pairs in which the mark is known in both runs. */
  readonly known: Found;
  /** Of the pairs in which it is known in one run only. */
  readonly half: Found;
}

function noSides(): Sides {
  const none = (): Found => ({ base: new Set(), other: new Set() });
  return { known: none(), half: none() };
}

function addTo(
  { known, half }: Sides,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
): void {
  const { base, other } = before && after ? known : half;
  for (const one of before ?? []) base.add(one);
  for (const one of after ?? []) other.add(one);
}

/** The drift, if there is one. */
function driftOf({ rubrics, models, grading }: Record<Mark, Sides>): JudgeDrift[] {
  const isKnown = rubrics.known.base.size > 0;
  const versions = isKnown ? rubrics.known : rubrics.half;
  const [otherRubric, otherModels, otherCode] = [versions, models.known, grading.known].map(
    ({ base, other }) => base.size !== other.size || [...base].some((one) => !other.has(one)),
  );
  if (!(otherRubric || otherModels || otherCode)) return [];
  return [
    {
      status: (otherRubric && isKnown) || otherModels ? 'changed' : 'may_have_changed',
      ...sorted(versions),
      ...(otherModels && { models: sorted(models.known) }),
      ...(otherCode && { grading: true }),
    },
  ];
}

function sorted({ base, other }: Found) {
  return { base: [...base].sort(), other: [...other].sort() };
}
