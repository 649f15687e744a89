/** The indices that exist in a run of `total` results, each once, in the given order. */
export function knownIndices(
  indices: readonly number[] | undefined,
  total: number,
): number[] | undefined {
  if (indices === undefined) return undefined;
  const known = indices.filter((index) => Number.isInteger(index) && index >= 0 && index < total);
  return [...new Set(known)];
}
