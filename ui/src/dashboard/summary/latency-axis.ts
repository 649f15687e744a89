import type { RowSummary } from '../../api/schema.js';

type Bucket = RowSummary['latency']['histogram'][number];

/** The least number of octaves in sight. */
const leastOctaves = 5;
/** Most labels on the axis. */
const mostLabels = 9;

/** A logarithmic axis in quarters of an octave. */
export interface LatencyAxis {
  /** Where a latency lies, from 0 to 1. */
  readonly at: (seconds: number) => number;
  /** Where a bucket starts, from 0 to 1. */
  readonly bucketAt: (bucket: Bucket) => number;
  /** How wide a bucket is, as a share of the axis. */
  readonly bucketWidth: number;
  /** A tick for each quarter of an octave; labels at some of the octaves. */
  readonly ticks: readonly { readonly at: number; readonly label?: string }[];
}

/** The axis on which a histogram fits: whole octaves, at least five of them. */
export function latencyAxis(buckets: readonly Bucket[]): LatencyAxis {
  const starts = buckets.map(startOf);
  let low = Math.floor(Math.min(...starts) / 4);
  let high = Math.ceil((Math.max(...starts) + 1) / 4);
  while (high - low < leastOctaves) {
    if ((high - low) % 2 === 0) low -= 1;
    else high += 1;
  }
  const quarters = (high - low) * 4;
  const share = (quarter: number) => (quarter - low * 4) / quarters;
  // What is too fast to be told apart lies in the middle of the first bar.
  const least = share(Math.min(...starts) + 0.5);
  const at = (seconds: number) =>
    seconds < (buckets[0]?.to ?? 0) && buckets[0]?.from === 0
      ? least
      : Math.max(0, Math.min(1, share(4 * Math.log2(seconds))));
  const step = Math.ceil((high - low) / (mostLabels - 1));
  const isShort = 2 ** high <= 0.5;
  const ticks = Array.from({ length: quarters + 1 }, (_, quarter) => {
    const octave = quarter / 4;
    if (quarter % 4 !== 0 || octave % step !== 0) return { at: quarter / quarters };
    const isLast = octave + step > high - low;
    return { at: quarter / quarters, label: octaveText(2 ** (low + octave), isShort, isLast) };
  });
  return { at, bucketAt: (bucket) => share(startOf(bucket)), bucketWidth: 1 / quarters, ticks };
}

/** The first bucket may begin at 0: it is drawn as wide as the others. */
function startOf({ from, to }: Bucket): number {
  return from > 0 ? Math.round(4 * Math.log2(from)) : Math.round(4 * Math.log2(to)) - 1;
}

function octaveText(seconds: number, isShort: boolean, hasUnit: boolean): string {
  const value = isShort ? seconds * 1000 : seconds;
  const unit = hasUnit ? (isShort ? ' ms' : ' s') : '';
  const places = isShort ? 1 : 2;
  const text = value >= 1 ? String(Math.round(value)) : String(Number(value.toPrecision(places)));
  return `${text.replace(/^0\./, '.')}${unit}`;
}
