/**
 * The sum of values with compensation for rounding (Neumaier 1974, Zeitschrift für Angewandte Mathematik und
 * Mechanik 54, 39–51), so that it does not depend on their order.
 */
export function sumOf(values: ArrayLike<number>): number {
  let sum = 0;
  let lost = 0;
  for (let i = 0; i < values.length; i += 1) {
    const value = values[i] ?? 0;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

/** The mean of values; NaN without values. */
export function meanOf(values: ArrayLike<number>): number {
  return sumOf(values) / values.length;
}
