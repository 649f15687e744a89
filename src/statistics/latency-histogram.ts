/** The number of latencies between two bounds. */
export interface LatencyBucket {
  /** Seconds, inclusive. */
  readonly from: number;
  /** Seconds, exclusive. */
  readonly to: number;
  readonly count: number;
}

const perOctave = 4;
// All latencies below about a millisecond share one bucket that begins at 0.
const lowest = -10 * perOctave;

/**
 * Counts ascending latencies (seconds, 0 or more) in buckets of a quarter of an octave: the bounds are 2^(n/4)
 * seconds. Returns every bucket from the first to the last that is not empty; an empty list without latencies.
 */
export function latencyHistogram(sorted: Iterable<number>): LatencyBucket[] {
  const buckets: { from: number; to: number; count: number }[] = [];
  let current = { from: 0, to: Number.NEGATIVE_INFINITY, count: 0 };
  let bucket = 0;
  for (const latency of sorted) {
    while (latency >= current.to) {
      bucket = buckets.length === 0 ? bucketOf(latency) : bucket + 1;
      current = { from: bound(bucket), to: bound(bucket + 1), count: 0 };
      buckets.push(current);
    }
    current.count += 1;
  }
  return buckets;
}

function bucketOf(latency: number): number {
  if (latency < bound(lowest)) return lowest - 1;
  const bucket = Math.floor(Math.log2(latency) * perOctave);
  // The logarithm may be off by one unit in the last place at the bounds of a bucket.
  if (latency < bound(bucket)) return bucket - 1;
  return latency >= bound(bucket + 1) ? bucket + 1 : bucket;
}

function bound(bucket: number): number {
  return bucket < lowest ? 0 : 2 ** (bucket / perOctave);
}
