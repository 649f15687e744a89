import type { TableRow } from '../../api/schema.js';

/** The latency of a row in seconds, of its one result or the mean of its trials; `replayed` for recordings. */
export type RowLatency = number | 'replayed' | null;

/** The latency of a row as it is shown. */
export function rowLatency({ fold, latency, replayed }: TableRow): RowLatency {
  if (fold !== undefined) return fold.average_latency ?? (replayed ? 'replayed' : null);
  return replayed ? 'replayed' : latency;
}
