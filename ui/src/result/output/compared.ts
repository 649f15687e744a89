import type { ReactNode } from 'react';
import type { Range } from '../diff/differences.js';
import { rawText, type Seen } from '../values/value-kind.js';

/** The format in which two values are compared. */
export type ComparedAs = 'markdown' | 'text' | 'json';

/** What an output is compared with. */
export interface Other {
  /** `Reference`, or `Output of neat-marten`. */
  readonly title: string;
  /** The same without the name of a run. */
  readonly kind: string;
  readonly value: unknown;
}

/** Two values with their differences marked, and what is said of them. */
export interface DiffPairParts {
  readonly output: unknown;
  readonly other: Other;
  readonly as: ComparedAs;
  /** The kind of the output. */
  readonly found: Seen;
  readonly notes: readonly [string, string];
  /** More tools of each. */
  readonly ends: readonly [ReactNode, ReactNode];
  /** Begins at the first difference, in sight. */
  readonly isAtFirst: boolean;
}

/** The format in which two values can be compared, if any. */
export function comparedAs(one: Seen, other: Seen): ComparedAs | undefined {
  const kinds = [one.kind, other.kind];
  if (kinds.includes('nothing') || kinds.includes('image')) return undefined;
  if ([one, other].every(isReadAsMarkdown) && kinds.includes('markdown')) return 'markdown';
  const isText = (kind: Seen['kind']) => kind === 'markdown' || kind === 'text' || kind === 'word';
  if (kinds.every(isText)) return 'text';
  return 'json';
}

/** A single line looks the same as Markdown. */
function isReadAsMarkdown(found: Seen): boolean {
  return found.kind === 'markdown' || (found.kind === 'text' && !found.text.includes('\n'));
}

/** True when two values are equal, ignoring the order of keys. */
export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || orderedText(one) === orderedText(other);
}

/** A value as JSON with its keys in order: the same text for equal values. */
export function orderedText(value: unknown): string | undefined {
  return JSON.stringify(inOrder(value));
}

/** Two values as texts for comparison. In JSON, the keys of the second come in the order of the first, so that only values differ. */
export function comparedTexts(
  one: unknown,
  other: unknown,
  as: ComparedAs,
): readonly [string, string] {
  if (as !== 'json') return [rawText(one), rawText(other)];
  const value = parsed(one);
  return [rawText(value), rawText(inOrderOf(value, parsed(other)))];
}

/** What a text is the JSON of, or the value itself. */
export function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The second value with its keys in the order of the first. */
function inOrderOf(model: unknown, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (typeof model !== 'object' || model === null) return value;
  if (Array.isArray(value) || Array.isArray(model)) {
    if (!Array.isArray(value) || !Array.isArray(model)) return value;
    return value.map((item, n) => inOrderOf(model[n], item));
  }
  const keys = keysOfBoth(model, value).filter((key) => Object.hasOwn(value, key));
  const entries = value as Readonly<Record<string, unknown>>;
  const models = model as Readonly<Record<string, unknown>>;
  // Keeps keys such as `__proto__`.
  return Object.fromEntries(keys.map((key) => [key, inOrderOf(own(models, key), entries[key])]));
}

/** The keys of both, in the order of the first; those of the second alone follow the one that they follow there. */
export function keysOfBoth(model: object, value: object): readonly string[] {
  const keys = Object.keys(model);
  let before: string | undefined;
  for (const key of Object.keys(value)) {
    if (!Object.hasOwn(model, key)) {
      keys.splice(before === undefined ? 0 : keys.indexOf(before) + 1, 0, key);
    }
    before = key;
  }
  return keys;
}

function own(fields: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  // Keeps keys such as `__proto__`.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  );
}

/** Lines kept beside a difference, and the fewest that are folded. */
const [beside, fewest] = [3, 6];

/** Lines one after the other, folded or not. */
export interface Stretch {
  /** Offset in the text. */
  readonly start: number;
  readonly text: string;
  readonly lines: number;
  readonly isFolded: boolean;
}

/** Cuts a text into what is near a difference, and stretches without any, which are folded. */
export function stretchesOf(text: string, ranges: readonly Range[]): readonly Stretch[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const isNear = nearLines(lines, ranges);
  const stretches: Stretch[] = [];
  let offset = 0;
  for (let from = 0; from < lines.length; ) {
    let to = from;
    while (to < lines.length && isNear[to] === isNear[from]) to += 1;
    const part = lines.slice(from, to).join('');
    const isFolded = isNear[from] === false && to - from >= fewest && ranges.length > 0;
    stretches.push({ start: offset, text: part, lines: to - from, isFolded });
    offset += part.length;
    from = to;
  }
  return stretches;
}

function nearLines(lines: readonly string[], ranges: readonly Range[]): readonly boolean[] {
  const isNear = lines.map(() => false);
  let next = 0;
  let start = 0;
  for (const [n, line] of lines.entries()) {
    const end = start + line.length;
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if ((ranges[next]?.start ?? Number.POSITIVE_INFINITY) < end) {
      isNear.fill(true, Math.max(0, n - beside), n + beside + 1);
    }
    start = end;
  }
  return isNear;
}
