/** How many latencies lie between two bounds. */
export interface LatencyBucket {
  /** Seconds; belongs to the bucket. */
  readonly from: number;
  /** Seconds; belongs to the next bucket. */
  readonly to: number;
  readonly count: number;
}

const perOctave = 4;
// Everything below about a millisecond is one bucket that begins at 0.
const lowest = -10 * perOctave;

/**
 * Counts latencies (seconds, 0 or more) in buckets of a quarter of an octave: the bounds are 2^(n/4) seconds.
 * Without gaps from the first bucket that has any to the last; empty when there are none.
 */
export function latencyHistogram(latencies: Iterable<number>): LatencyBucket[] {
  const counts = new Map<number, number>();
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  for (const latency of latencies) {
    const bucket = bucketOf(latency);
    counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
    if (bucket < first) first = bucket;
    if (bucket > last) last = bucket;
  }
  const buckets: LatencyBucket[] = [];
  for (let bucket = first; bucket <= last; bucket += 1) {
    buckets.push({ from: bound(bucket), to: bound(bucket + 1), count: counts.get(bucket) ?? 0 });
  }
  return buckets;
}

function bucketOf(latency: number): number {
  if (latency < bound(lowest)) return lowest - 1;
  const bucket = Math.floor(Math.log2(latency) * perOctave);
  // The logarithm may be off by one unit in the last place just where buckets meet.
  if (latency < bound(bucket)) return bucket - 1;
  return latency >= bound(bucket + 1) ? bucket + 1 : bucket;
}

function bound(bucket: number): number {
  return bucket < lowest ? 0 : 2 ** (bucket / perOctave);
}
