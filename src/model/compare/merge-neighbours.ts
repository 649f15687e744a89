import { sumOf } from '../../statistics/sums.js';
import type { ValueGroups } from './number-lists.js';

/** Deviations that a merged group is wide at most. */
const width = 1 / 8;

/**
 * Merges neighbours that lie within an eighth of the standard deviation into one group at their mean. The mean of all
 * stays the same, and of the variance at most 1/256 is lost: within a group it is at most a quarter of the squared
 * width (Popoviciu 1935, "Sur les équations algébriques ayant toutes leurs racines réelles", Mathematica 9, 129–145).
 * Of n values at most about (768 n)^⅓ groups are left, however they are spread, mostly some thirty to eighty: so many
 * groups that far apart would have a larger deviation than that.
 */
export function mergeNeighbours(groups: ValueGroups): ValueGroups {
  const { values, counts } = groups;
  const reach = deviationOf(groups) * width;
  const merged = { values: [] as number[], counts: [] as number[] };
  for (let from = 0; from < values.length; ) {
    const until = (values[from] ?? 0) + reach;
    let sum = 0;
    let count = 0;
    do {
      const here = counts[from] ?? 0;
      sum += (values[from] ?? 0) * here;
      count += here;
      from += 1;
    } while (from < values.length && (values[from] ?? 0) <= until);
    merged.values.push(sum / count);
    merged.counts.push(count);
  }
  return { values: Float64Array.from(merged.values), counts: Float64Array.from(merged.counts) };
}

function deviationOf({ values, counts }: ValueGroups): number {
  const total = sumOf(counts);
  const mean = sumOf(values.map((value, i) => value * (counts[i] ?? 0))) / total;
  // Ascending values: none is further off than the first or the last. Squares of what is divided by it do not overflow.
  const scale = Math.max(mean - (values[0] ?? mean), (values.at(-1) ?? mean) - mean);
  const squares = values.map((value, i) => ((value - mean) / scale) ** 2 * (counts[i] ?? 0));
  return scale === 0 ? 0 : scale * Math.sqrt(sumOf(squares) / total);
}
