/** The indices that a run of `total` results has, each once, in the order given. */
export function knownIndices(
  indices: readonly number[] | undefined,
  total: number,
): number[] | undefined {
  if (indices === undefined) return undefined;
  const known = indices.filter((index) => Number.isInteger(index) && index >= 0 && index < total);
  return [...new Set(known)];
}
