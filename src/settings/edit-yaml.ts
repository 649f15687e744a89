import { isDeepStrictEqual } from 'node:util';
import type { Document, Node, Pair } from 'yaml';
import { AssayError } from '../errors.js';
import { keepOtherLines } from './keep-lines.js';
import { type KeyPath, keyPathText } from './key-path.js';
import { type Yaml, yamlOptions } from './read-yaml.js';
import {
  indentWidth,
  type SettingScalar,
  spliceNewKey,
  spliceOutKey,
  spliceScalar,
} from './splice-yaml.js';

/** A value to write; `undefined` removes the key. */
export type SettingChange = SettingScalar | readonly unknown[] | object | undefined;

/**
 * Sets or removes one key in a YAML text that parses. Everything else keeps its bytes where the change fits
 * on lines of its own; elsewhere the document is written anew, and the lines of other keys are put back.
 * Throws `bad-request` for a key that goes through an alias or a list.
 */
export function editYaml(yaml: Yaml, text: string, path: KeyPath, value: SettingChange): string {
  // Comments keep the \r of their line, so files with Windows line ends are edited without.
  const isWindows = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  const edited = editLines(yaml, isWindows ? text.replaceAll('\r\n', '\n') : text, path, value);
  return isWindows ? edited.replaceAll('\n', '\r\n') : edited;
}

function editLines(yaml: Yaml, text: string, path: KeyPath, value: SettingChange): string {
  const document = yaml.parseDocument(text, yamlOptions);
  if (value === undefined ? !document.hasIn(path) : holds(document, path, value)) return text;
  try {
    const rendered = editDocument(yaml, document, text, path, value);
    const wanted = plain(yaml, rendered);
    const isWanted = (edited: string) => isDeepStrictEqual(plain(yaml, edited), wanted);
    const spliced = splice(yaml, text, path, value);
    if (spliced !== undefined && isWanted(spliced)) return spliced;
    const kept = keepOtherLines(yaml, text, rendered, path);
    return isWanted(kept) ? kept : rendered;
  } catch (cause) {
    throw new AssayError('bad-request', `${keyPathText(path)} cannot be changed from here.`, {
      cause,
      hints: ['An alias, an anchor or a list stands in the way. Change it in the file by hand.'],
    });
  }
}

function splice(yaml: Yaml, text: string, path: KeyPath, value: SettingChange): string | undefined {
  if (value === undefined) return spliceOutKey(yaml, text, path);
  if (typeof value === 'object' && value !== null) return undefined;
  return spliceScalar(yaml, text, path, value) ?? spliceNewKey(yaml, text, path, value);
}

/** The parsed value of a text, or a value that equals nothing when it does not parse. */
function plain(yaml: Yaml, text: string): unknown {
  const document = yaml.parseDocument(text, yamlOptions);
  return document.errors.length > 0 ? Symbol('no YAML') : (document.toJS() ?? {});
}

function holds(document: Document, path: KeyPath, value: SettingChange): boolean {
  if (!document.hasIn(path)) return false;
  const node = document.getIn(path, true) as Node | null;
  return isDeepStrictEqual(node?.toJS(document) ?? null, value);
}

function editDocument(
  yaml: Yaml,
  document: Document,
  text: string,
  path: KeyPath,
  value: SettingChange,
): string {
  if (value === undefined) removeKey(yaml, document, path);
  else setKey(yaml, document, path, value);
  return document.toString({
    lineWidth: 0,
    indent: indentWidth(text),
    indentSeq: !/^( *)[^\s#-].*:\s*(#.*)?\n\1-/m.test(text),
    flowCollectionPadding: !/[[{][^\s\]}]/.test(text),
  });
}

function setKey(yaml: Yaml, document: Document, path: KeyPath, value: SettingChange): void {
  // A key without a value holds null, which takes no keys below it.
  for (let depth = 0; depth < path.length; depth += 1) {
    const at = path.slice(0, depth);
    const node = depth === 0 ? document.contents : document.getIn(at, true);
    if (yaml.isScalar(node) && node.value === null && !node.anchor) {
      const map = document.createNode({});
      if (node.commentBefore) map.commentBefore = node.commentBefore;
      if (node.comment) map.comment = node.comment;
      if (depth === 0) document.contents = map;
      else document.setIn(at, map);
    }
  }
  const old = document.getIn(path, true);
  const node = document.createNode(value);
  if (yaml.isScalar(old)) {
    if (old.comment) node.comment = old.comment;
    if (old.commentBefore) node.commentBefore = old.commentBefore;
    if (old.anchor) node.anchor = old.anchor;
  }
  document.setIn(path, node);
}

/** Removes a key and gives its comments to what follows. */
function removeKey(yaml: Yaml, document: Document, path: KeyPath): void {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!yaml.isMap(parent)) throw new TypeError('no map');
  const at = parent.items.findIndex(
    (item) => yaml.isScalar(item.key) && item.key.value === path.at(-1),
  );
  const pair = parent.items[at] as Pair<Node, Node | null> | undefined;
  const next = parent.items[at + 1]?.key;
  document.deleteIn(path);
  const comments = [pair?.key.commentBefore, pair?.value?.commentBefore, pair?.value?.comment];
  const kept = comments.filter((comment) => typeof comment === 'string').join('\n');
  if (kept === '') return;
  if (yaml.isNode(next)) next.commentBefore = joinComments(kept, next.commentBefore);
  else if (parent.items.length > 0) parent.comment = joinComments(kept, parent.comment);
  else document.comment = joinComments(kept, document.comment);
}

function joinComments(first: string, second: string | null | undefined): string {
  return second ? `${first}\n${second}` : first;
}
