/**
 * p-values adjusted for multiple tests, in the given order. The probability that any adjusted value falls below a
 * level by chance is at most that level, however the tests depend on each other (Holm 1979, "A Simple Sequentially
 * Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6, 65–70). `tests`: for how many tests to
 * correct; at least the number of p-values, the default.
 */
export function holm(pValues: readonly number[], tests = pValues.length): number[] {
  const order = pValues.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  order.forEach(({ p, at }, rank) => {
    largest = Math.max(largest, Math.min(1, p * (tests - rank)));
    adjusted[at] = largest;
  });
  return adjusted;
}
