/** Names of the runs in order; the first is the base. */
const letters = [...'ABCDEFGHIJKL'];

/** The letter of the run at a position. */
export function letterOf(position: number): string {
  return letters[position] ?? String(position + 1);
}

/** `B`, `B and C`, `B, C and D`. */
export function lettersOf(positions: readonly number[]): string {
  const names = positions.map(letterOf);
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
