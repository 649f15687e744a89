import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, Pair, Scalar, YAMLMap } from 'yaml';
import { AssayError } from '../errors.js';
import { type KeyPath, keyPathText } from './key-path.js';
import { type Yaml, yamlOptions } from './read-yaml.js';

/** A value to write; `undefined` removes the key, a `RenamedKey` keeps its value and place. */
export type SettingChange = string | number | boolean | null | object | RenamedKey | undefined;

/** The new name of a key, which no key beside it has. */
export class RenamedKey {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Sets, renames or removes one key in a valid YAML text. Comments, order, quotes and blank lines stay; spaces that align
 * values or comments do not. Throws `bad-request` for a key that goes through an alias or a list.
 */
export function editYaml(yaml: Yaml, text: string, path: KeyPath, value: SettingChange): string {
  // Comments keep the \r of their line, so files with Windows line ends are edited without it.
  const isWindows = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  const lines = isWindows ? text.replaceAll('\r\n', '\n') : text;
  const document = yaml.parseDocument(lines, yamlOptions);
  if (holds(document, path, value)) return text;
  const edited = edit(yaml, lines, document, path, value);
  if (edited !== undefined) return isWindows ? edited.replaceAll('\n', '\r\n') : edited;
  throw new AssayError('bad-request', `${keyPathText(path)} cannot be changed from here.`, {
    hints: ['An alias, an anchor, a list or a key after ? prevents that. Edit the file by hand.'],
  });
}

function holds(document: Document, path: KeyPath, value: SettingChange): boolean {
  if (value === undefined || !document.hasIn(path))
    return value === undefined && !document.hasIn(path);
  const node = document.getIn(path, true) as Node | null;
  return isDeepStrictEqual(node?.toJS(document) ?? null, value);
}

/** `undefined` when the key cannot be reached, or the text would not be read as the document. */
function edit(
  yaml: Yaml,
  text: string,
  document: Document,
  path: KeyPath,
  value: SettingChange,
): string | undefined {
  try {
    change(yaml, document, path, value);
    keepKeyComments(yaml, document, text);
    const wanted: unknown = document.toJS() ?? {};
    const edited = document.toString(styleOf(text));
    return isDeepStrictEqual(yaml.parse(edited, yamlOptions) ?? {}, wanted) ? edited : undefined;
  } catch {
    // An alias has lost its anchor.
    return undefined;
  }
}

function change(yaml: Yaml, document: Document, path: KeyPath, value: SettingChange): void {
  const name = path.at(-1) ?? '';
  const map = mapAt(yaml, document, path.slice(0, -1));
  const at = map.items.findIndex(({ key }) => yaml.isScalar(key) && key.value === name);
  const pair = map.items[at] as Pair<Scalar, Node | null> | undefined;
  if (value instanceof RenamedKey) {
    if (pair === undefined) throw new TypeError('there is no such key');
    pair.key.value = value.name;
  } else if (value === undefined) {
    map.items.splice(at, 1);
    keepComments(map, at, pair);
  } else if (pair === undefined) map.add(document.createPair(name, value));
  else if (yaml.isScalar(pair.value) && (typeof value !== 'object' || value === null)) {
    pair.value.value = value;
    // How the value before was written.
    delete pair.value.tag;
    delete pair.value.format;
    delete pair.value.source;
  } else pair.value = withComments(document.createNode(value), pair.value);
}

/** The map at a path; it is made where there is nothing. */
function mapAt(yaml: Yaml, document: Document, path: KeyPath): YAMLMap {
  const isEmpty = (node: unknown) =>
    node === null || node === undefined || (yaml.isScalar(node) && node.value === null);
  const made = (before: unknown) => withComments(new yaml.YAMLMap(), before as Node | null);
  if (isEmpty(document.contents)) document.contents = made(document.contents);
  let node: unknown = document.contents;
  for (const key of path) {
    if (!yaml.isMap(node)) break;
    const below = node.get(key, true);
    if (isEmpty(below)) node.set(key, made(below));
    node = node.get(key, true);
  }
  if (!yaml.isMap(node)) throw new TypeError('it is no map');
  if (node.items.length === 0) node.flow = false;
  return node;
}

/** Gives a node the comments of the one that it replaces. */
function withComments<N extends Node>(node: N, before: Node | null | undefined): N {
  const comments = [before?.commentBefore, before?.comment].filter((one) => one != null);
  if (comments.length > 0) node.commentBefore = comments.join('\n');
  return node;
}

/** Gives the comments around a removed entry to the next one, or to the end of the map. */
function keepComments(map: YAMLMap, at: number, pair: Pair<Scalar, Node | null> | undefined): void {
  const own = [pair?.key.commentBefore, pair?.value?.commentBefore, pair?.value?.comment];
  const next = map.items[at] as Pair<Scalar> | undefined;
  const around = [...own, next === undefined ? map.comment : next.key.commentBefore];
  const comment = around.filter((one) => one != null).join('\n') || null;
  if (next === undefined) map.comment = comment;
  else next.key.commentBefore = comment;
}

/** Leaves comments on the line of a key whose map or list follows there: read, they belong to what follows. */
function keepKeyComments(yaml: Yaml, document: Document, text: string): void {
  yaml.visit(document, {
    Pair(_, { key, value }) {
      if (!yaml.isScalar(key) || !yaml.isCollection(value) || value.flow || !key.range) return;
      const [, comment] = /^[ \t]*:[ \t]+#(.*)/.exec(text.slice(key.range[1])) ?? [];
      const [first, ...others] = value.commentBefore?.split('\n') ?? [];
      if (comment === undefined || first !== comment) return;
      key.comment = comment;
      value.commentBefore = others.length === 0 ? null : others.join('\n');
    },
  });
}

/** How a text is written: the spaces of a level, of lists in maps, and of braces. */
function styleOf(text: string) {
  return {
    lineWidth: 0,
    indent: /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2,
    indentSeq: !/^( *)[^\s#-].*:[ \t]*(?:#.*)?\n\1- /m.test(text),
    flowCollectionPadding: !/[[{][^\s\]}]/.test(text),
    verifyAliasOrder: false,
  };
}
