import type { Score, ScoreFacts } from '../model/score.js';

// Beyond this many different lists, sharing saves little and the tree itself costs.
const limit = 10_000;

/** A list of scores, and those that go on from it: by key, then by verdict, then by value. */
interface Branch {
  readonly list: readonly ScoreFacts[];
  readonly longer: Map<string, Map<boolean | undefined, Map<number | undefined, Branch>>>;
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
      const next = score.source === undefined ? this.#next(at, score) : undefined;
      if (next === undefined) return scores.map(toFacts);
      at = next;
    }
    return at.list;
  };

  #next({ list, longer }: Branch, score: Score): Branch | undefined {
    const { key, passed, value } = score;
    const found = longer.get(key)?.get(passed)?.get(value);
    if (found !== undefined || this.#branches === limit) return found;
    const next = branch([...list, toFacts(score)]);
    const byVerdict = entry(longer, key, () => new Map());
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
    ...(score.source === undefined ? {} : { source: score.source }),
  };
}
