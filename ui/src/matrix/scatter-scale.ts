/** A mark on an axis: its value, and its place from 0 to 1. */
interface Tick {
  readonly value: number;
  readonly at: number;
  /** The others are drawn shorter. */
  readonly isNamed: boolean;
}

/** An axis with its marks. */
export interface ScatterAxis {
  readonly ticks: readonly Tick[];
  /** The place of a value, from 0 to 1. */
  at(value: number): number;
  /** The value at a place. */
  valueAt(at: number): number;
}

/** Logarithmic, or with even distances. */
export type AxisKind = 'log' | 'even';

/** An axis around some values; those of a logarithmic one are above 0. */
export function axisOf(kind: AxisKind, values: readonly number[]): ScatterAxis {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (least > most) return shareAxis(0, 1);
  if (kind === 'log') return logAxis([least, most]);
  return least >= 0 && most <= 1 ? shareAxis(0, 1) : evenAxis(least, most);
}

/** Most steps of an even axis. */
const mostSteps = 6;

/** An even axis, from a round number at or below the least value to one at or above the greatest. */
export function evenAxis(least: number, most: number): ScatterAxis {
  const span = most - least || Math.abs(most) || 1;
  const power = 10 ** Math.floor(Math.log10(span / mostSteps));
  const step = [1, 2, 5, 10].map((n) => n * power).find((size) => span / size <= mostSteps) ?? span;
  const low = Math.floor(least / step);
  const high = Math.max(low + 1, Math.ceil(most / step));
  const at = (value: number) => (value / step - low) / (high - low);
  const values = Array.from({ length: high - low + 1 }, (_, n) =>
    Number(((low + n) * step).toPrecision(12)),
  );
  return {
    ticks: values.map((value) => ({ value, at: at(value), isNamed: true })),
    at,
    valueAt: (place) => (low + place * (high - low)) * step,
  };
}

/** Marks with a name, of each power of ten. */
const named = [1, 2, 5];

/** A logarithmic axis around some values above 0: from 1, 2 or 5 times a power of ten below the least to one above the greatest. */
export function logAxis(values: readonly number[]): ScatterAxis {
  const steps = stepsAround(Math.min(...values), Math.max(...values));
  const [low = 1, high = 10] = [steps[0], steps.at(-1)];
  const at = (value: number) => Math.log(value / low) / Math.log(high / low);
  return {
    ticks: steps.map((value) => ({ value, at: at(value), isNamed: isNamed(value) })),
    at,
    valueAt: (place) => low * (high / low) ** place,
  };
}

function stepsAround(least: number, most: number): number[] {
  const first = Math.floor(Math.log10(least)) - 1;
  const last = Math.ceil(Math.log10(most)) + 1;
  const all = Array.from({ length: last - first + 1 }, (_, n) => first + n).flatMap((power) =>
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => digit * 10 ** power),
  );
  const bounds = all.filter(isNamed);
  // A value at the end of the axis would be half outside.
  const low = bounds.findLast((value) => value < least * 0.98) ?? least / 2;
  const high = bounds.find((value) => value > most * 1.02) ?? most * 2;
  return all.filter((value) => value >= low && value <= high);
}

function isNamed(value: number): boolean {
  const digit = value / 10 ** Math.floor(Math.log10(value * (1 + 1e-9)));
  return named.some((one) => Math.abs(one - digit) < 0.01);
}

/** An axis of shares, from the next tenth below the least to the next tenth above the greatest. */
export function shareAxis(least: number, most: number): ScatterAxis {
  const low = Math.max(0, Math.min(9, Math.floor(least * 10 + 1e-9)));
  const high = Math.min(10, Math.max(low + 1, Math.ceil(most * 10 - 1e-9)));
  const at = (share: number) => (share * 10 - low) / (high - low);
  const tenths = Array.from({ length: high - low + 1 }, (_, n) => (low + n) / 10);
  return {
    ticks: tenths.map((value) => ({ value, at: at(value), isNamed: true })),
    at,
    valueAt: (place) => (low + place * (high - low)) / 10,
  };
}
