import { isDeepStrictEqual } from 'node:util';
import { cutText } from '../../model/preview.js';
import type { Json } from '../../model/result.js';
import { lightRowLimits } from '../rows/light-row.js';

/** Where the outputs of a case differ between runs; plain JSON. Lists are in the order of the runs. */
export type OutputDifference =
  | {
      readonly kind: 'json';
      /** The first paths that differ, in document order. */
      readonly paths: readonly {
        /** `items[1].total`. */
        readonly path: string;
        /** JSON, cut around the first difference; `null` if there is no such value, or no output to compare. */
        readonly values: readonly (string | null)[];
      }[];
      /** Paths that differ besides. */
      readonly more: number;
      /** Values that are equal in all runs, and all that were compared. */
      readonly equal: number;
      readonly total: number;
    }
  | {
      readonly kind: 'text';
      /** Where the excerpts begin, in characters: shortly before the first difference. */
      readonly at: number;
      readonly texts: readonly ({ readonly text: string; readonly cut: boolean } | null)[];
    };

/** Paths of an answer. */
const mostPaths = 6;
/** Characters of a value, and of what is kept before its first difference. */
const [valueLength, valueLead] = [120, 16];
/** The same of a text. */
const [textLength, textLead] = [lightRowLimits.preview, 40];
/** Deeper values are compared as wholes. */
const deepest = 100;

/**
 * Compares outputs with the first one, that of the base; `undefined` for those that are not compared. No difference where
 * the texts are so short that previews have all of them.
 */
export function outputDifference(
  outputs: readonly (Json | undefined)[],
): OutputDifference | undefined {
  const compared = outputs.flatMap((output) => (output === undefined ? [] : [output]));
  if (outputs[0] === undefined || compared.length < 2) return undefined;
  /** Puts what belongs to the compared outputs in the order of the runs. */
  const inRuns = <T>(of: readonly T[]): (T | null)[] => {
    let next = 0;
    return outputs.map((output) => (output === undefined ? null : (of[next++] ?? null)));
  };
  const values = compared.map(readJson);
  if (values.every(isList) || values.every(isObject)) {
    const found: Found = { paths: [], differing: 0, equal: 0 };
    compareValues(values, '', 0, found);
    const { paths, differing, equal } = found;
    return {
      kind: 'json',
      paths: paths.map(({ path, texts }) => ({ path, values: inRuns(texts) })),
      more: differing - paths.length,
      equal,
      total: equal + differing,
    };
  }
  const texts = compared.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  if (texts.every(({ length }) => length <= textLength)) return undefined;
  const at = startOf(texts, textLead);
  const excerpts = texts.map((text) => {
    const rest = text.slice(at, at + textLength + 1);
    return { text: cutText(rest, textLength), cut: rest.length > textLength };
  });
  return { kind: 'text', at, texts: inRuns(excerpts) };
}

/** An object or a list, also one that is written in a string. */
function readJson(value: Json): Json {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch {
    return value;
  }
}

interface Found {
  readonly paths: { readonly path: string; readonly texts: readonly (string | null)[] }[];
  /** How many paths differ. */
  differing: number;
  /** How many values are equal. */
  equal: number;
}

type Value = Json | undefined;

/** Compares values at one place; `undefined` where there is none. */
function compareValues(values: readonly Value[], path: string, depth: number, found: Found): void {
  const [first] = values;
  if (depth < deepest && values.every(isObject)) {
    const keys = new Set(values.flatMap((value) => Object.keys(value)));
    if (keys.size === 0) found.equal += 1;
    for (const key of keys) {
      const items = values.map((value) => (Object.hasOwn(value, key) ? value[key] : undefined));
      compareValues(items, pathTo(path, key), depth + 1, found);
    }
  } else if (depth < deepest && values.every(isList)) {
    compareLists(values, path, depth, found);
  } else if (values.every((value) => isDeepStrictEqual(value, first))) {
    found.equal += 1;
  } else {
    found.differing += 1;
    if (found.paths.length < mostPaths) found.paths.push({ path, texts: valueTexts(values) });
  }
}

/** Lists of unequal length are aligned at their equal beginnings and ends, so that one item more is one difference. */
function compareLists(
  lists: readonly (readonly Json[])[],
  path: string,
  depth: number,
  found: Found,
): void {
  const lengths = lists.map(({ length }) => length);
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  if (most === 0) found.equal += 1;
  const areEqual = (at: (list: readonly Json[]) => Value) =>
    lists.every((list) => isDeepStrictEqual(at(list), at(lists[0] ?? [])));
  let start = 0;
  let end = 0;
  if (least < most) {
    while (start < least && areEqual((list) => list[start])) start += 1;
    while (end < least - start && areEqual((list) => list.at(-1 - end))) end += 1;
  }
  for (let n = 0; n < most - end; n += 1) {
    const items = lists.map((list) => (n < list.length - end ? list[n] : undefined));
    compareValues(items, `${path}[${n}]`, depth + 1, found);
  }
  for (let n = end; n > 0; n -= 1) {
    compareValues(
      lists.map((list) => list.at(-n)),
      path,
      depth + 1,
      found,
    );
  }
}

function pathTo(path: string, key: string): string {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Values as JSON; long ones are cut around what differs. */
function valueTexts(values: readonly Value[]): readonly (string | null)[] {
  const texts = values.map((value) => (value === undefined ? null : JSON.stringify(value)));
  const known = texts.flatMap((text) => text ?? []);
  if (known.every(({ length }) => length <= valueLength)) return texts;
  const at = startOf(known, valueLead);
  return texts.map((text) => {
    if (text === null) return null;
    const rest = text.slice(at);
    const shown = rest.length > valueLength ? `${cutText(rest, valueLength)}…` : rest;
    return at === 0 ? shown : `…${shown}`;
  });
}

/** Where to begin so that the first difference of texts is in sight: not within a character or word. */
function startOf(texts: readonly string[], lead: number): number {
  const [first = '', ...others] = texts;
  let same = 0;
  while (same < first.length && others.every((text) => text[same] === first[same])) same += 1;
  if (same <= 2 * lead) return 0;
  const at = same - lead;
  const code = first.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return at - 1;
  // With a whole word, if there is another one before the difference.
  const space = first.indexOf(' ', at - 1);
  return space >= 0 && space < same ? space + 1 : at;
}

function isList(value: Value): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Value): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
