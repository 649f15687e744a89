import type { Score, ScoreFacts } from '../model/score.js';

// Beyond this many different values, sharing saves little and the table itself costs.
const limit = 10_000;

/** Keeps one copy of values that repeat from row to row, so that 100,000 rows stay small. */
export class Interning {
  readonly #strings = new Map<string, string>();
  readonly #labels = new Map<string, readonly string[]>();
  readonly #scores = new Map<string, readonly ScoreFacts[]>();

  /** An equal string, the same one for equal strings. */
  string(value: string): string {
    return shared(this.#strings, value, () => value);
  }

  /** Equal labels, the same list for equal labels. */
  labels(labels: readonly string[]): readonly string[] {
    if (labels.length === 0) return noLabels;
    return shared(this.#labels, JSON.stringify(labels), () => labels);
  }

  /** The facts of scores (no notes), the same list for equal facts. */
  readonly scores = (scores: readonly Score[]): readonly ScoreFacts[] => {
    if (scores.length === 0) return noScores;
    const facts = scores.map(toFacts);
    const only = facts[0];
    if (facts.length > 4 || only === undefined) return facts;
    const name = facts.map((s) => `${s.key}\n${s.passed}\n${s.value}\n${s.source}`).join('\n');
    return shared(this.#scores, name, () => facts);
  };
}

const noLabels: readonly string[] = [];
const noScores: readonly ScoreFacts[] = [];

function toFacts(score: Score): ScoreFacts {
  return {
    key: score.key,
    ...(score.passed === undefined ? {} : { passed: score.passed }),
    ...(score.value === undefined ? {} : { value: score.value }),
    ...(score.source === undefined ? {} : { source: score.source }),
  };
}

function shared<T>(table: Map<string, T>, name: string, make: () => T): T {
  const known = table.get(name);
  if (known !== undefined) return known;
  const value = make();
  if (table.size < limit) table.set(name, value);
  return value;
}
