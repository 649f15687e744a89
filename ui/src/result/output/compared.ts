import { rawText, type Seen } from '../values/value-kind.js';

/** The format in which two values are compared. */
export type ComparedAs = 'markdown' | 'text' | 'json';

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
  return one === other || JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
}

/** A value as text for comparison: JSON has sorted keys, so that only values differ. */
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
  // Keeps keys such as `__proto__`.
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, inOrder(item)]),
  );
}
