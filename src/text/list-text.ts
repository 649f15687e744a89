import { nameText } from './name-text.js';
import { shellWord } from './shell-word.js';

/** A name in quotes, or anything up to a comma that no `\` escapes. */
const item = /\s*(?:"([^"]*)"|'([^']*)')\s*(?=,|$)|((?:\\.|[^\\,]|\\$)*)/suy;

/**
 * Reads names that commas separate; blanks around a name do not count. A name with a comma is in quotes, or has a `\`
 * before it: `"a,b"` and `a\,b` are one name each. A `\` makes a quote, a blank or another `\` part of a name, too.
 */
export function parseList(text: string): string[] {
  const names: string[] = [];
  for (let at = 0; at <= text.length; at = item.lastIndex + 1) {
    item.lastIndex = at;
    const [, double, single, bare = ''] = item.exec(text) ?? [];
    names.push(double ?? single ?? withoutEscapes(bare));
  }
  return names;
}

function withoutEscapes(text: string): string {
  const [, trimmed = ''] = /^\s*((?:\\.?|[^\\])*?)\s*$/su.exec(text) ?? [];
  return trimmed.replace(/\\([\\,"'\s])/gu, '$1');
}

/** A name as {@link parseList} reads it. */
export function listItem(name: string): string {
  return name.replace(/[\\,]|^[\s"']|\s$/gu, '\\$&');
}

const mostKnown = 20;

/** Says what there is instead of names that are not known, as the user would write it. */
export function unknownNames(
  kind: string,
  wanted: readonly string[],
  known: Iterable<string>,
): string {
  const there = [...new Set(known)].slice(0, mostKnown).map((name) => {
    const item = listItem(name);
    return item === name ? nameText(name) : shellWord(item);
  });
  return `${kind} ${wanted.map(nameText).join(' or ')}; there are: ${there.join(', ') || 'none'}`;
}
