import { rawText, type Seen } from '../values/value-kind.js';

/** As what two values are compared: as they are read, as text, or as JSON. */
export type ComparedAs = 'markdown' | 'text' | 'json';

/** As what two values can be compared, if at all. */
export function comparedAs(one: Seen, other: Seen): ComparedAs | undefined {
  const kinds = [one.kind, other.kind];
  if (kinds.includes('nothing') || kinds.includes('image')) return undefined;
  if ([one, other].every(isReadAsMarkdown) && kinds.includes('markdown')) return 'markdown';
  const isText = (kind: Seen['kind']) => kind === 'markdown' || kind === 'text' || kind === 'word';
  if (kinds.every(isText)) return 'text';
  return 'json';
}

/** A text on one line reads the same as Markdown. */
function isReadAsMarkdown(found: Seen): boolean {
  return found.kind === 'markdown' || (found.kind === 'text' && !found.text.includes('\n'));
}

/** Whether two values are the same; the order of keys does not matter. */
export function sameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

/** The text of a value to compare: JSON with its keys in alphabetical order, so that only values differ. */
export function comparedText(value: unknown, as: ComparedAs): string {
  if (as !== 'json') return rawText(value);
  if (typeof value !== 'string') return rawText(inOrder(value));
  try {
    return rawText(inOrder(JSON.parse(value)));
  } catch {
    return value;
  }
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  // A key such as `__proto__` is a key like any other.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  );
}
