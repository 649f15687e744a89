import type { Score, ScoreFacts } from '../model/score.js';

// Beyond this many different lists, sharing saves little and the tree itself costs.
const limit = 10_000;

type ByValue = Map<number | undefined, Branch>;

/** A list of scores, and those that go on from it: by key, then by threshold, verdict and value. */
interface Branch {
  readonly list: readonly ScoreFacts[];
  readonly longer: Map<string, Map<number | undefined, Map<boolean | undefined, ByValue>>>;
}

/**
 * Keeps one copy of lists of scores that say the same. A tree: looking one up makes nothing, where a name for each list
 * would cost as much as the list.
 */
export class ScoreLists {
  readonly #root = branch([]);
  #branches = 0;

  /** The facts of scores (no notes), the same list for equal facts. */
  readonly of = (scores: readonly Score[]): readonly ScoreFacts[] => {
    let at = this.#root;
    for (const score of scores) {
      const { source, better } = score;
      const mayBeShared = source === undefined && better === undefined;
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

function toFacts(score: Score): ScoreFacts {
  return {
    key: score.key,
    ...(score.passed === undefined ? {} : { passed: score.passed }),
    ...(score.value === undefined ? {} : { value: score.value }),
    ...(score.threshold === undefined ? {} : { threshold: score.threshold }),
    ...(score.better === undefined ? {} : { better: score.better }),
    ...(score.source === undefined ? {} : { source: score.source }),
  };
}
