import {
  disagrees,
  drawnOf,
  judgeScore,
  labelledOutput,
  type ReviewLabel,
  type ReviewSample,
  type Rubric,
} from '../../model/labels.js';
import { countedOf, type Json, type JsonObject, type RowFacts } from '../../model/result.js';
import type { Score } from '../../model/scores/score.js';
import { drawSome, seededRandom } from '../../statistics/random.js';
import type { RubricTexts } from '../../store/replay/run-review.js';
import type { StoredRun } from '../../store/stored-run.js';

/** A result in the queue of a reviewer. */
export interface QueuedResult {
  readonly index: number;
  readonly id: string;
  readonly dataset: string;
  readonly labels: readonly string[];
  /** The scores that are to be labelled. */
  readonly keys: readonly string[];
  /** It was drawn at random. */
  readonly sample: boolean;
  /** The first sample that has it; absent if it was picked by hand. */
  readonly sample_id?: string;
  /** What the reviewer said by the rubrics as they are now. */
  readonly mine: { readonly [key: string]: ReviewLabel['verdict'] };
}

/** How far a reviewer is. */
export interface ReviewProgress {
  /** Results of the queue of which the reviewer has labelled every score. */
  readonly labelled: number;
  /** Labels of the reviewer that say the opposite of the judge. */
  readonly disagreements: number;
}

/** What one reviewer is shown of a run: nothing that a judge said, before the reviewer has labelled it. */
export class Review {
  readonly #run: StoredRun;
  readonly #reviewer: string;
  readonly #rubrics: RubricTexts;
  /** Rubrics by evaluation and key: their versions are hashes. */
  readonly #known = new Map<string, Rubric | undefined>();
  /** Keys of scores by evaluation. */
  readonly #keys: ReadonlyMap<string, ReadonlySet<string>>;

  /** `rubrics`: as the settings of the project have them; `keys`: only these scores, all if empty. */
  constructor(
    run: StoredRun,
    {
      reviewer,
      rubrics,
      keys,
    }: { reviewer: string; rubrics: RubricTexts; keys: readonly string[] },
  ) {
    this.#run = run;
    this.#reviewer = reviewer;
    this.#rubrics = rubrics;
    this.#keys = keysByEvaluation(run, rubrics, keys);
  }

  /** Scores with the rubric that all evaluations have in common; `null` without one, and where they differ. */
  get keys(): { readonly key: string; readonly rubric: Rubric | null }[] {
    const found = new Map<string, (Rubric | undefined)[]>();
    for (const [evaluation, keys] of this.#keys) {
      for (const key of keys) {
        found.set(key, [...(found.get(key) ?? []), this.#rubricOf(evaluation, key)]);
      }
    }
    return [...found].map(([key, rubrics]) => {
      const [first] = rubrics;
      const isOne = rubrics.every((one) => one?.version === first?.version);
      return { key, rubric: isOne ? (first ?? null) : null };
    });
  }

  /**
   * Results to label: those of samples in the order in which they were drawn, then those that somebody picked by hand; and
   * how far the reviewer is.
   */
  read(): { readonly queue: readonly QueuedResult[]; readonly progress: ReviewProgress } {
    const samples = new Map<number, string>();
    for (const sample of this.#run.samples()) {
      for (const index of inDrawnOrder(sample)) {
        if (!samples.has(index)) samples.set(index, sample.id);
      }
    }
    const picked = this.#run.labels().map(({ index }) => index);
    let labelled = 0;
    let disagreements = 0;
    const queue = [...new Set([...samples.keys(), ...picked])].flatMap((index): QueuedResult[] => {
      const row = this.#run.rows[index];
      const keys = row === undefined || labelledOutput(row) === undefined ? [] : this.keysOf(row);
      if (row === undefined || keys.length === 0) return [];
      const { id, dataset, labels } = row;
      const own = this.labelsOf(index);
      if (own.length === keys.length) labelled += 1;
      disagreements += own.filter((one) => disagrees(one.verdict, this.#passed(one))).length;
      const sample_id = samples.get(index);
      const mine = Object.fromEntries(own.map(({ key, verdict }) => [key, verdict]));
      const sample = sample_id !== undefined;
      return [{ index, id, dataset, labels, keys, sample, ...(sample && { sample_id }), mine }];
    });
    return { queue, progress: { labelled, disagreements } };
  }

  /** The scores of a result that are to be labelled. */
  keysOf({ evaluation }: Pick<RowFacts, 'evaluation'>): string[] {
    return [...(this.#keys.get(evaluation) ?? [])];
  }

  /** The labels of the reviewer for a result, by the rubrics as they are now. */
  labelsOf(index: number): ReviewLabel[] {
    const { evaluation } = this.#run.rows[index] ?? { evaluation: '' };
    const keys = this.#keys.get(evaluation);
    return this.#run.labelsOf(index).filter((label) => {
      if (label.reviewer !== this.#reviewer || keys?.has(label.key) !== true) return false;
      return label.rubric_version === this.#rubricOf(evaluation, label.key)?.version;
    });
  }

  /** What the judge of a score said, if the reviewer has passed or failed it: who is unsure may still say which, and blind. */
  judgeOf(index: number, key: string): Pick<Score, 'passed' | 'value' | 'notes'> | undefined {
    const own = this.labelsOf(index).find((label) => label.key === key);
    if (own?.verdict !== 'pass' && own?.verdict !== 'fail') return undefined;
    const score = judgeScore(this.#run.counted.entry(index).result, key);
    if (score === undefined) return undefined;
    const { passed, value, notes } = score;
    return {
      ...(passed !== undefined && { passed }),
      ...(value !== undefined && { value }),
      ...(notes !== undefined && { notes }),
    };
  }

  /** Rubrics of a result, by key. */
  rubricsOf(row: Pick<RowFacts, 'evaluation'>): { [key: string]: Rubric } {
    return Object.fromEntries(
      this.keysOf(row).flatMap((key) => {
        const rubric = this.#rubricOf(row.evaluation, key);
        return rubric === undefined ? [] : [[key, rubric] as const];
      }),
    );
  }

  #rubricOf(evaluation: string, key: string): Rubric | undefined {
    const name = `${key}\n${evaluation}`;
    if (!this.#known.has(name)) {
      this.#known.set(name, this.#run.rubricOf(evaluation, key, this.#rubrics));
    }
    return this.#known.get(name);
  }

  #passed({ index, key }: ReviewLabel): boolean | undefined {
    const row = this.#run.rows[index];
    const score = row && countedOf(row).scores.find((one) => one.key === key);
    // A person has replaced it: what the judge said is only in the log.
    if (score?.source === 'human') return this.judgeOf(index, key)?.passed;
    return score?.passed;
  }
}

/** What a reviewer reads of a result. */
export interface BlindValues {
  readonly input: Json;
  readonly output: Json;
  readonly reference: Json;
  readonly metadata: JsonObject;
  /** Messages that the target traced; absent where an evaluator may have changed them. */
  readonly messages?: Json;
}

/** The values of a result without anything that an evaluator may have written. */
export async function readBlindValues(run: StoredRun, index: number): Promise<BlindValues> {
  const { input, output, reference, trace_data } = run.counted.entry(index).result;
  const metadata = run.authoredMetadata(index);
  let isOfTarget = false;
  for await (const { isExact } of run.counted.marks([index])) isOfTarget = isExact;
  const { messages } = trace_data;
  const traced = isOfTarget && messages !== undefined && { messages };
  return { input, output, reference, metadata, ...traced };
}

/** By stratum, the order would tell the verdict of a judge, so strata are mixed. */
function inDrawnOrder(sample: ReviewSample): number[] {
  const drawn = drawnOf(sample);
  return sample.strata.length < 2
    ? drawn
    : drawSome(drawn, drawn.length, seededRandom(sample.seed));
}

function keysByEvaluation(
  run: StoredRun,
  rubrics: RubricTexts,
  asked: readonly string[],
): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const row of run.rows) {
    let keys = found.get(row.evaluation);
    if (keys === undefined) {
      keys = new Set(run.rubricKeys(row.evaluation));
      found.set(row.evaluation, keys);
    }
    for (const { key } of countedOf(row).scores) keys.add(key);
  }
  // A rubric for what nothing scores yet is for all evaluations.
  const scored = new Set([...found.values()].flatMap((keys) => [...keys]));
  const others = Object.keys(rubrics).filter((key) => !scored.has(key));
  for (const keys of found.values()) for (const key of others) keys.add(key);
  if (asked.length === 0) return found;
  return new Map(
    [...found].map(([evaluation, keys]) => [
      evaluation,
      new Set(asked.filter((key) => keys.has(key))),
    ]),
  );
}
