/** A logarithmic scale of latencies. */
export interface LatencyScale {
  /** `0.25 – 32 s`. */
  readonly text: string;
  /** The position of a latency, from 0 to 1. */
  readonly at: (latency: number) => number;
}

/** A scale between powers of two that contains all values; `undefined` without any. */
export function latencyScale(values: readonly (number | null)[]): LatencyScale | undefined {
  const known = values.filter((value) => value !== null).map((value) => Math.max(value, 2 ** -10));
  if (known.length === 0) return undefined;
  const from = Math.floor(Math.log2(Math.min(...known)) - 0.5);
  const to = Math.max(from + 1, Math.ceil(Math.log2(Math.max(...known)) + 0.5));
  return {
    text:
      to < 0
        ? `${short(1000 * 2 ** from)} – ${short(1000 * 2 ** to)} ms`
        : `${short(2 ** from)} – ${short(2 ** to)} s`,
    at: (latency) => {
      const place = (Math.log2(Math.max(latency, 2 ** -10)) - from) / (to - from);
      return Math.max(0, Math.min(1, place));
    },
  };
}

function short(value: number): string {
  return String(Number(value.toPrecision(value >= 100 ? 3 : 2)));
}
