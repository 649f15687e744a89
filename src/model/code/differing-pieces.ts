import type { Piece } from './evaluation-code.js';

/** The names of pieces that two versions do not share: those of the second version first, in its order. */
export function differingPieces(before: readonly Piece[], after: readonly Piece[]): string[] {
  const names = new Set([...missingFrom(before, after), ...missingFrom(after, before)]);
  // `graders.ts (politeness)` says all that `graders.ts` would.
  const detailed = new Set([...names].map((name) => name.replace(/ \(.*\)$/, '')));
  return [...names].filter((name) => name.endsWith(')') || !hasDetail(name, names, detailed));
}

function missingFrom(known: readonly Piece[], pieces: readonly Piece[]): string[] {
  const keys = new Set(known.map(keyOf));
  return pieces.filter((piece) => !keys.has(keyOf(piece))).map(([name]) => name);
}

function keyOf(piece: Piece): string {
  return piece.join('\0');
}

function hasDetail(name: string, names: ReadonlySet<string>, detailed: ReadonlySet<string>) {
  return detailed.has(name) && [...names].some((other) => other.startsWith(`${name} (`));
}
