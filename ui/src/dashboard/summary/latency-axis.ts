import type { RowSummary } from '../../api/schema.js';

/** Minimum number of octaves. */
const minOctaves = 5;
/** Maximum number of labels. */
const maxLabels = 9;

/** A logarithmic axis in quarters of an octave. A first bucket from 0 is linear and one octave wide. */
export interface LatencyAxis {
  /** The position of a latency, from 0 to 1. */
  readonly at: (seconds: number) => number;
  /** The start of a bucket, from 0 to 1. */
  readonly bucketAt: (bucket: Bucket) => number;
  /** The width of a bucket as a share of the axis. */
  readonly bucketWidth: (bucket: Bucket) => number;
  /** A tick for each quarter of an octave, and those with labels at round values. */
  readonly ticks: readonly { readonly at: number; readonly label?: string }[];
}

/** The axis for a histogram: at least five whole octaves. */
export function latencyAxis(buckets: readonly Bucket[]): LatencyAxis {
  // The end of the linear part in seconds.
  const even = buckets[0]?.from === 0 ? buckets[0].to : 0;
  const isFromZero = even > 0;
  const starts = buckets.map(startOf);
  let low = Math.floor(Math.min(...starts) / 4);
  let high = Math.ceil(Math.max(...buckets.map(endOf)) / 4);
  while (high - low < minOctaves) {
    if (!isFromZero && (high - low) % 2 === 0) low -= 1;
    else high += 1;
  }
  const quarters = (high - low) * 4;
  const share = (quarter: number) => (quarter - low * 4) / quarters;
  const at = (seconds: number) =>
    seconds < even
      ? (seconds / even) * (4 / quarters)
      : Math.max(0, Math.min(1, share(4 * Math.log2(seconds))));
  const isShort = 2 ** high <= 0.5;
  const named = namedValues(isFromZero ? even : 2 ** low, 2 ** high);
  const labels = [...(isFromZero ? [0] : []), ...named].map((seconds, n, all) => ({
    at: at(seconds),
    label: labelText(seconds, isShort, n === all.length - 1),
  }));
  const marks = Array.from({ length: quarters + 1 }, (_, quarter) => ({ at: quarter / quarters }));
  const isFree = (mark: { readonly at: number }) =>
    labels.every((label) => Math.abs(label.at - mark.at) > 1e-9);
  const ticks = [...marks.filter(isFree), ...labels];
  return {
    at,
    bucketAt: (bucket) => share(startOf(bucket)),
    bucketWidth: (bucket) => (endOf(bucket) - startOf(bucket)) / quarters,
    ticks,
  };
}

function startOf(bucket: Bucket): number {
  return bucket.from > 0 ? Math.round(4 * Math.log2(bucket.from)) : endOf(bucket) - 4;
}

function endOf({ to }: Bucket): number {
  return Math.round(4 * Math.log2(to));
}

/** The values from `low` to `high` that have labels: 1, 2 and 5 times powers of ten, or fewer if these are too many. */
function namedValues(low: number, high: number): number[] {
  const first = Math.floor(Math.log10(low));
  const powers = Array.from(
    { length: Math.ceil(Math.log10(high)) - first + 1 },
    (_, n) => first + n,
  );
  const choices = [[1, 2, 5], [1, 3], [1]].map((digits) =>
    powers
      .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
      // A label so near to 0 would cover it.
      .filter((value) => value >= low * 0.99 && value <= high),
  );
  return choices.find(({ length }) => length < maxLabels) ?? choices.at(-1) ?? [];
}

function labelText(seconds: number, isShort: boolean, hasUnit: boolean): string {
  const unit = hasUnit ? (isShort ? ' ms' : ' s') : '';
  return `${Number((isShort ? seconds * 1000 : seconds).toPrecision(1))}${unit}`;
}

/** Maximum width of a label as a share of the axis. */
export const labelWidth = 0.25;

/** The side of its line that a label is on, and its row from the top. */
export interface MarkLabel {
  readonly isLeft: boolean;
  readonly row: 0 | 1;
}

/**
 * Places the labels of two lines at `p50` ≤ `p95` (shares of the axis) so that neither covers the other, nor the
 * other's line: a line begins at the row of its label. Both stay on the drawing.
 */
export function placeLabels(p50: number, p95: number): { p50: MarkLabel; p95: MarkLabel } {
  const isFirstLeft = p50 >= labelWidth;
  const isLastLeft = p95 > 1 - labelWidth;
  const needed = (isFirstLeft ? 0 : labelWidth) + (isLastLeft ? labelWidth : 0);
  if (p95 - p50 >= needed) {
    return { p50: { isLeft: isFirstLeft, row: 0 }, p95: { isLeft: isLastLeft, row: 0 } };
  }
  // The line of the upper label crosses the lower row: there the label has to be on the other side of it.
  return isFirstLeft
    ? { p50: { isLeft: true, row: 1 }, p95: { isLeft: isLastLeft, row: 0 } }
    : { p50: { isLeft: false, row: 0 }, p95: { isLeft: false, row: 1 } };
}

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
