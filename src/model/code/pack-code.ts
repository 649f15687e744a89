import { codeRule, type EvaluationCode, type Piece } from './evaluation-code.js';
import type { FileCode, FoundCode } from './file-code.js';

/** The code of an evaluation, in lists of pieces that evaluations share. */
export interface SharedCode extends Omit<EvaluationCode, 'target' | 'grading'> {
  readonly target: readonly (readonly Piece[])[];
  /** What the target reaches may be in it, too. */
  readonly grading: readonly (readonly Piece[])[];
}

/** An eval file with the code of its evaluations by id. */
export type CodeOfFile = readonly [
  of: Pick<FileCode, 'file' | 'code'>,
  codes: readonly (readonly [id: string, SharedCode])[],
];

/** Packs the code of eval files, with each piece and each list once; {@link codesOf} unpacks it. */
export function packCode(found: readonly CodeOfFile[]): FoundCode {
  const pieces = new Numbered<Piece>((piece) => piece.join('\0'));
  const lists = new Numbered<readonly Piece[]>((list) => list);
  const files = found.map(([{ file, code }, codes]): FileCode => {
    const evaluations = codes.map(([id, { target, grading, ...one }]) => [
      id,
      { target: lists.numbersOf(target), grading: lists.numbersOf(grading), ...one },
    ]);
    return { file, code, evaluations: Object.fromEntries(evaluations) };
  });
  const positions = lists.all.map((list) => pieces.numbersOf(list));
  return { rule: codeRule, pieces: pieces.all, lists: positions, files };
}

/** Numbers things in the order in which they come; those with the same key are one. */
class Numbered<Item> {
  readonly all: Item[] = [];
  readonly #numbers = new Map<unknown, number>();
  readonly #keyOf: (item: Item) => unknown;

  constructor(keyOf: (item: Item) => unknown) {
    this.#keyOf = keyOf;
  }

  numbersOf(items: readonly Item[]): number[] {
    return items.map((item) => {
      const key = this.#keyOf(item);
      const number = this.#numbers.get(key) ?? this.all.push(item) - 1;
      this.#numbers.set(key, number);
      return number;
    });
  }
}

/**
 * The code of evaluations, by id. Those that have the same lists have the same pieces, which makes them quick to compare.
 */
export function codesOf(found: FoundCode): ReadonlyMap<string, EvaluationCode> {
  const known = new Map<string, readonly Piece[]>();
  const piecesOf = (lists: readonly number[], others: readonly number[] = []) => {
    const key = `${lists} ${others}`;
    const pieces = known.get(key) ?? unpacked(found, lists, others);
    known.set(key, pieces);
    return pieces;
  };
  const codes = found.files.flatMap(({ evaluations }) => Object.entries(evaluations));
  return new Map(
    codes.map(([id, { target, grading, ...code }]) => [
      id,
      { target: piecesOf(target), grading: piecesOf(grading, target), ...code },
    ]),
  );
}

/** The pieces in lists, but for those in others. */
function unpacked(
  { pieces, lists: all }: FoundCode,
  lists: readonly number[],
  others: readonly number[],
): Piece[] {
  const positions = new Set(lists.flatMap((list) => all[list] ?? []));
  for (const at of others.flatMap((list) => all[list] ?? [])) positions.delete(at);
  return [...positions].flatMap((at) => pieces.slice(at, at + 1));
}
