import type { RowFacts } from '../../model/result.js';

/** Buckets of a histogram. */
const buckets = 10;

/** How the values of a score are distributed over the matching rows. */
export interface ScoreHistogram {
  readonly key: string;
  /** The ends of the first and the last bucket: 0 and 1 if all values are between them. */
  readonly from: number;
  readonly to: number;
  /** The number of values in each of the equally wide buckets. */
  readonly counts: readonly number[];
}

/** The histograms of scores with values. */
export function scoreHistograms(
  rows: readonly RowFacts[],
  indices: Uint32Array,
  keys: readonly string[],
): readonly ScoreHistogram[] {
  const histograms: ScoreHistogram[] = [];
  for (const key of keys) {
    const values: number[] = [];
    for (const index of indices) {
      for (const score of rows[index]?.scores ?? []) {
        if (score.key === key && score.value !== undefined) values.push(score.value);
      }
    }
    if (values.length > 0) histograms.push(histogramOf(key, values));
  }
  return histograms;
}

function histogramOf(key: string, values: readonly number[]): ScoreHistogram {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const [from, to] = least >= 0 && most <= 1 ? [0, 1] : [least, most];
  const counts = Array.from({ length: buckets }, () => 0);
  for (const value of values) {
    const share = to > from ? (value - from) / (to - from) : 0;
    const at = Math.min(buckets - 1, Math.floor(share * buckets));
    counts[at] = (counts[at] ?? 0) + 1;
  }
  return { key, from, to, counts };
}
