import { diffArrays } from 'diff';
import { pathText } from '../../../../src/text/value-path.js';
import { isBranch } from '../values/tree-shape.js';
import { keysOfBoth, orderedText, parsed } from './compared.js';

/** A value of one side, under its key. */
interface Side {
  readonly key: string | number;
  readonly value: unknown;
}

/** What stands at the same place of an output and of what it is compared with. */
export interface Paired {
  /** Unique among all places of two values. */
  readonly id: number;
  /** Its path in the output; in the other value if only that has it. */
  readonly path: string;
  /** Absent where a side has nothing. */
  readonly output: Side | undefined;
  readonly other: Side | undefined;
  /** What is in it, if both sides are objects, or both are lists. */
  readonly parts: readonly Paired[] | undefined;
  /** Values in it: what has no parts is one. */
  readonly values: number;
  /** How many of them differ, and the number of the first, from 0. */
  readonly differing: number;
  readonly first: number;
}

/** Two objects or two lists, place by place; `undefined` for any other two values. */
export function pairValues(output: unknown, other: unknown): Paired | undefined {
  const [one, two] = [parsed(output), parsed(other)];
  if (!isBranch(one) || !isBranch(two) || Array.isArray(one) !== Array.isArray(two)) return;
  let [ids, differing] = [0, 0];
  const pair = (output: Side | undefined, other: Side | undefined, path: PropertyKey[]): Paired => {
    const place = { id: ids++, path: pathText(path), output, other, first: differing };
    const parts =
      output &&
      other &&
      bothParts(output.value, other.value, (...sides) => {
        const key = (sides[0] ?? sides[1])?.key ?? '';
        return pair(...sides, [...path, key]);
      });
    if (parts !== undefined && parts.length > 0) {
      const values = parts.reduce((sum, part) => sum + part.values, 0);
      return { ...place, parts, values, differing: differing - place.first };
    }
    const isEqual =
      output && other && (parts !== undefined || Object.is(output.value, other.value));
    if (!isEqual) differing += 1;
    return { ...place, parts: undefined, values: 1, differing: differing - place.first };
  };
  return pair({ key: '', value: one }, { key: '', value: two }, []);
}

type PairOf = (output: Side | undefined, other: Side | undefined) => Paired;

/** The parts of two objects or two lists; `undefined` for other values, which are compared as they are. */
function bothParts(one: unknown, two: unknown, pairOf: PairOf): readonly Paired[] | undefined {
  if (!isBranch(one) || !isBranch(two) || Array.isArray(one) !== Array.isArray(two)) return;
  if (Array.isArray(one) && Array.isArray(two)) return itemPairs(one, two, pairOf);
  const sideOf = (value: object, key: string): Side | undefined =>
    Object.hasOwn(value, key)
      ? { key, value: (value as Readonly<Record<string, unknown>>)[key] }
      : undefined;
  return keysOfBoth(one, two).map((key) => pairOf(sideOf(one, key), sideOf(two, key)));
}

/** Milliseconds for finding out which items of two lists are equal. */
const time = 100;

/** Items by position in lists of equal length. In others, equal items; and those between, if there are equally many. */
function itemPairs(
  one: readonly unknown[],
  two: readonly unknown[],
  pairOf: PairOf,
): readonly Paired[] {
  const pairs: Paired[] = [];
  const from = { one: 0, two: 0 };
  const sideOf = (list: readonly unknown[], key: number) => ({ key, value: list[key] });
  const pairUntil = (toOne: number, toTwo: number) => {
    const isEven = toOne - from.one === toTwo - from.two;
    while (from.one < toOne) {
      pairs.push(pairOf(sideOf(one, from.one++), isEven ? sideOf(two, from.two++) : undefined));
    }
    while (from.two < toTwo) pairs.push(pairOf(undefined, sideOf(two, from.two++)));
  };
  const changes =
    one.length === two.length
      ? []
      : (diffArrays(one.map(orderedText), two.map(orderedText), { timeout: time }) ?? []);
  const at = { one: 0, two: 0 };
  for (const { added, removed, count } of changes) {
    if (!added && !removed) pairUntil(at.one, at.two);
    if (!added) at.one += count;
    if (!removed) at.two += count;
    if (!added && !removed) pairUntil(at.one, at.two);
  }
  pairUntil(one.length, two.length);
  return pairs;
}

/** A line of two trees side by side: the same place in both. */
export interface PairedLine {
  readonly id: string;
  readonly depth: number;
  /** Neighbours without a difference are one line, which opens. */
  readonly kind: 'equal' | 'branch' | 'leaf';
  /** One, but for neighbours. */
  readonly places: readonly Paired[];
  readonly isOpen: boolean;
}

/**
 * The lines of two trees. What differs is open, what is equal is folded, except for what `turned` names by the id of its
 * line.
 */
export function pairedLines(root: Paired, turned: ReadonlySet<string>): readonly PairedLine[] {
  const lines: PairedLine[] = [];
  const addPlace = (place: Paired, depth: number) => {
    const id = String(place.id);
    if (place.parts === undefined) {
      lines.push({ id, depth, kind: 'leaf', places: [place], isOpen: false });
      return;
    }
    const isOpen = place.differing > 0 !== turned.has(id);
    lines.push({ id, depth, kind: 'branch', places: [place], isOpen });
    if (isOpen) addAll(place.parts, depth + 1);
  };
  const addAll = (places: readonly Paired[], depth: number) => {
    // In what is equal as a whole nothing is folded again.
    const isMixed = places.some(({ differing }) => differing > 0);
    for (let at = 0; at < places.length; ) {
      let to = at;
      while (isMixed && places[to]?.differing === 0) to += 1;
      const equal = places.slice(at, to);
      const [only] = equal;
      if (only === undefined || (equal.length === 1 && only.parts !== undefined)) {
        const place = places[at];
        if (place !== undefined) addPlace(place, depth);
        at += 1;
        continue;
      }
      const id = `from ${only.id}`;
      const isOpen = turned.has(id);
      lines.push({ id, depth, kind: 'equal', places: equal, isOpen });
      if (isOpen) for (const place of equal) addPlace(place, depth + 1);
      at = to;
    }
  };
  addAll(root.parts ?? [], 0);
  return lines;
}

/** The places that differ, in order. */
export function differingPlaces(root: Paired): readonly Paired[] {
  if (root.differing === 0) return [];
  return root.parts === undefined ? [root] : root.parts.flatMap(differingPlaces);
}
