import type { ValueGroups } from './number-lists.js';

/**
 * Merges neighbouring groups into their means, until about `most` are left (8 or more). An eighth of that at either end
 * stays single, because extremes weigh most; the others become groups of about equal size. The mean of all stays the
 * same.
 */
export function mergeNeighbours({ values, counts }: ValueGroups, most: number): ValueGroups {
  const single = Math.floor(most / 8);
  const end = values.length - single;
  const middle = counts.subarray(single, end).reduce((sum, count) => sum + count, 0);
  const size = middle / (most - 2 * single);
  const merged = { values: [] as number[], counts: [] as number[] };
  let sum = 0;
  let count = 0;
  const close = () => {
    if (count === 0) return;
    merged.values.push(sum / count);
    merged.counts.push(count);
    sum = 0;
    count = 0;
  };
  for (let i = 0; i < values.length; i += 1) {
    const here = counts[i] ?? 0;
    sum += (values[i] ?? 0) * here;
    count += here;
    const isSingle = i < single || i >= end - 1;
    if (isSingle || count >= size) close();
  }
  close();
  return { values: Float64Array.from(merged.values), counts: Float64Array.from(merged.counts) };
}
