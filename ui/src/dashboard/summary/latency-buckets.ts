import type { RowSummary } from '../../api/schema.js';

export type Bucket = RowSummary['latency']['histogram'][number];

/** Joins neighbours until each is at least so wide; what is left at the end joins the last. */
export function joinBuckets(
  buckets: readonly Bucket[],
  /** The width of a bucket, in the unit of `least`. */
  widthOf: (bucket: Bucket) => number,
  least: number,
): readonly (readonly Bucket[])[] {
  const joined: Bucket[][] = [];
  let width = least;
  for (const bucket of buckets) {
    if (width >= least) {
      joined.push([]);
      width = 0;
    }
    joined.at(-1)?.push(bucket);
    width += widthOf(bucket);
  }
  const last = joined.length > 1 && width < least ? joined.pop() : undefined;
  joined.at(-1)?.push(...(last ?? []));
  return joined;
}

/** Neighbours as one bucket. */
export function sumBuckets(buckets: readonly Bucket[]): Bucket {
  const [first = { from: 0, to: 0 }, last = first] = [buckets[0], buckets.at(-1)];
  const count = buckets.reduce((sum, bucket) => sum + bucket.count, 0);
  return { from: first.from, to: last.to, count };
}
