/** Trees with at most this many lines are open initially. */
const fewLines = 12;

/** Objects of plain values with at most this many keys are open initially. */
const fewKeys = 8;

/** The entries of an object or a list, in order. */
export function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  return Array.isArray(value)
    ? value.map((item, n) => [String(n), item] as const)
    : Object.entries(value);
}

/** True for objects and lists. */
export function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** The number of lines of a completely open tree; stops counting shortly after `most`. */
export function countLines(value: unknown, most: number): number {
  if (!isBranch(value)) return 1;
  let lines = 1;
  for (const item of Object.values(value)) {
    lines += countLines(item, most - lines);
    if (lines > most) break;
  }
  return lines;
}

/** True when a branch is open initially. `root`: the root of the tree. */
export function isOpenAtFirst(branch: object, depth: number, root: object): boolean {
  if (countLines(root, fewLines) <= fewLines) return true;
  if (Object.keys(root).length > fewKeys) return false;
  const items = Object.values(branch);
  return depth <= 1 && items.length <= fewKeys && !Array.isArray(branch) && !items.some(isBranch);
}

/** A short summary of a closed branch. */
export function previewOf(branch: object): string {
  const items = Array.isArray(branch)
    ? branch.slice(0, 6).map((item) => wordOf(item))
    : Object.keys(branch).slice(0, 6);
  const text = items.join(', ');
  const isCut = text.length > 90 || Object.keys(branch).length > items.length;
  return isCut ? `${text.slice(0, 90)}…` : text;
}

function wordOf(value: unknown): string {
  if (isBranch(value)) return Array.isArray(value) ? '[…]' : '{…}';
  return typeof value === 'string' ? value.slice(0, 40) : String(value);
}
