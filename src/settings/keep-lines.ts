import type { Pair } from 'yaml';
import type { KeyPath } from './key-path.js';
import type { Yaml } from './read-yaml.js';

/** Part of a text that is replaced. */
interface Replacement {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** A document that was written anew, `rendered`, with the lines of all keys beside `path` as they are in `text`. */
export function keepOtherLines(yaml: Yaml, text: string, rendered: string, path: KeyPath): string {
  const before = { text, node: yaml.parseDocument(text).contents as unknown };
  const after = { text: rendered, node: yaml.parseDocument(rendered).contents as unknown };
  return replacements(yaml, before, after, path).reduceRight(
    (kept, { from, to, by }) => kept.slice(0, from) + by + kept.slice(to),
    rendered,
  );
}

interface Source {
  readonly text: string;
  readonly node: unknown;
}

function replacements(
  yaml: Yaml,
  before: Source,
  after: Source,
  [key, ...rest]: KeyPath,
): Replacement[] {
  const [old, now] = [before.node, after.node];
  if (!yaml.isMap(old) || !yaml.isMap(now) || old.flow || now.flow) return [];
  return now.items.flatMap((pair): Replacement[] => {
    const name = nameOf(yaml, pair);
    const twin = old.items.find((one) => nameOf(yaml, one) === name);
    if (twin === undefined) return [];
    if (name === key) {
      const below = [
        { ...before, node: twin.value },
        { ...after, node: pair.value },
      ] as const;
      return rest.length === 0 ? [] : replacements(yaml, ...below, rest);
    }
    const [kept, place] = [linesOf(before.text, twin), linesOf(after.text, pair)];
    if (kept === undefined || place === undefined || kept.column !== place.column) return [];
    return [{ from: place.from, to: place.to, by: before.text.slice(kept.from, kept.to) }];
  });
}

function nameOf(yaml: Yaml, { key }: Pair): unknown {
  return yaml.isScalar(key) ? key.value : undefined;
}

/** From the key to the end of the last line of its value, comment included. */
function linesOf(
  text: string,
  { key, value }: Pair,
): { readonly from: number; readonly to: number; readonly column: number } | undefined {
  const from = rangeOf(key)?.[0];
  const end = rangeOf(value)?.[1] ?? rangeOf(key)?.[1];
  if (from === undefined || end === undefined) return undefined;
  const lineEnd = text.indexOf('\n', Math.max(from, end - 1));
  const column = from - (text.lastIndexOf('\n', from - 1) + 1);
  return { from, to: lineEnd === -1 ? text.length : lineEnd, column };
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return (node as { readonly range?: [number, number, number] | null } | null)?.range ?? undefined;
}
