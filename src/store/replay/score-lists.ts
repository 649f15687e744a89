import type { Score, ScoreFacts } from '../../model/scores/score.js';

// With more distinct lists, sharing saves little, and the tree needs memory.
const limit = 10_000;

type ByValue = Map<number | undefined, Branch>;

/** A list of scores, and the lists that continue it: by key, then by threshold, verdict and value. */
interface Branch {
  readonly list: readonly ScoreFacts[];
  readonly longer: Map<string, Map<number | undefined, Map<boolean | undefined, ByValue>>>;
}

/**
 * Shares equal lists of scores. Uses a tree, because a lookup then allocates nothing; a key for each list would need as
 * much memory as the list.
 */
export class ScoreLists {
  readonly #root = branch([]);
  #branches = 0;

  /** The facts of scores (without notes), shared if they are equal. */
  readonly of = (scores: readonly Score[]): readonly ScoreFacts[] => {
    let at = this.#root;
    for (const score of scores) {
      const { source, better, scale, location, rubric_version } = score;
      const mayBeShared = (source ?? better ?? scale ?? location ?? rubric_version) === undefined;
      const next = mayBeShared ? this.#next(at, score) : undefined;
      if (next === undefined) return scores.map(toFacts);
      at = next;
    }
    return at.list;
  };

  #next({ list, longer }: Branch, score: Score): Branch | undefined {
    const { key, threshold, passed, value } = score;
    const found = longer.get(key)?.get(threshold)?.get(passed)?.get(value);
    if (found !== undefined || this.#branches === limit) return found;
    const next = branch([...list, toFacts(score)]);
    const byThreshold = entry(longer, key, () => new Map());
    const byVerdict = entry(byThreshold, threshold, () => new Map());
    entry(byVerdict, passed, () => new Map()).set(value, next);
    this.#branches += 1;
    return next;
  }
}

function branch(list: readonly ScoreFacts[]): Branch {
  return { list, longer: new Map() };
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** The facts of a score, without notes and location. */
export function toFacts(score: Score): ScoreFacts {
  return {
    key: score.key,
    ...(score.passed === undefined ? {} : { passed: score.passed }),
    ...(score.value === undefined ? {} : { value: score.value }),
    ...(score.threshold === undefined ? {} : { threshold: score.threshold }),
    ...(score.better === undefined ? {} : { better: score.better }),
    ...(score.scale === undefined ? {} : { scale: score.scale }),
    ...(score.source === undefined ? {} : { source: score.source }),
    ...(score.rubric_version === undefined ? {} : { rubric_version: score.rubric_version }),
    ...(score.location === undefined ? {} : { asserted: true }),
  };
}
