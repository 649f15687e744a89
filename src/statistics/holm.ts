/**
 * p-values adjusted for being several, in the order given: those at or below a level may all be believed, and the
 * chance that any of them is false stays at that level, whatever ties the tests together (Holm 1979, "A Simple
 * Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of Statistics 6, 65–70).
 */
export function holm(pValues: readonly number[]): number[] {
  const order = pValues.map((p, at) => ({ p, at })).sort((a, b) => a.p - b.p);
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  order.forEach(({ p, at }, rank) => {
    largest = Math.max(largest, Math.min(1, p * (pValues.length - rank)));
    adjusted[at] = largest;
  });
  return adjusted;
}
