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
 * Sets or removes one key in a valid YAML text. Rewrites only the entry of that key, or the braces around it:
 * everything else keeps its bytes, including alignment and comments. Throws `bad-request` for a key that goes
 * through an alias or a list.
 */
export function editYaml(yaml: Yaml, text: string, path: KeyPath, value: SettingChange): string {
  // Comments keep the \r of their line, so files with Windows line ends are edited without it.
  const isWindows = text.includes('\r\n') && !/(^|[^\r])\n/.test(text);
  const edited = editLines(yaml, isWindows ? text.replaceAll('\r\n', '\n') : text, path, value);
  return isWindows ? edited.replaceAll('\n', '\r\n') : edited;
}

function editLines(yaml: Yaml, text: string, path: KeyPath, value: SettingChange): string {
  const document = yaml.parseDocument(text, yamlOptions);
  if (value instanceof RenamedKey) return renameKey(yaml, text, path, value.name);
  if (value === undefined ? !document.hasIn(path) : holds(document, path, value)) return text;
  // A comment below a block text would become part of it; quotes prevent that.
  for (const blockQuote of [true, false]) {
    const edited = new YamlEdit(yaml, text, path, blockQuote).write(value);
    if (edited !== undefined && isWanted(yaml, text, edited, path, value)) return edited;
  }
  throw cannotChange(path);
}

function cannotChange(path: KeyPath): AssayError {
  return new AssayError('bad-request', `${keyPathText(path)} cannot be changed from here.`, {
    hints: ['An alias, an anchor, a list or a key after ? prevents that. Edit the file by hand.'],
  });
}

/** Replaces the name of a key, and nothing around it. */
function renameKey(yaml: Yaml, text: string, path: KeyPath, name: string): string {
  const parent = yaml.parseDocument(text, yamlOptions).getIn(path.slice(0, -1), true);
  const items = yaml.isMap(parent) ? parent.items : [];
  const isOld = ({ key }: Pair) => yaml.isScalar(key) && key.value === path.at(-1);
  const range = rangeOf(items.find(isOld)?.key);
  if (range === undefined) throw cannotChange(path);
  const [start, end] = range;
  const wanted = yaml.parse(text, yamlOptions);
  const around = path.slice(0, -1).reduce((at, key) => at[key], wanted);
  around[name] = around[path.at(-1) ?? ''];
  delete around[path.at(-1) ?? ''];
  // In braces, more names need quotes.
  for (const written of [yaml.stringify(name, { lineWidth: 0 }).trimEnd(), JSON.stringify(name)]) {
    const edited = text.slice(0, start) + written + text.slice(end);
    try {
      if (isDeepStrictEqual(yaml.parse(edited, yamlOptions), wanted)) return edited;
    } catch {
      // The name is read as something else there.
    }
  }
  throw cannotChange(path);
}

function holds(document: Document, path: KeyPath, value: SettingChange): boolean {
  if (!document.hasIn(path)) return false;
  const node = document.getIn(path, true) as Node | null;
  return isDeepStrictEqual(node?.toJS(document) ?? null, value);
}

/** True when an edited text has the same values as the library's document after the same change. */
function isWanted(
  yaml: Yaml,
  text: string,
  edited: string,
  path: KeyPath,
  value: SettingChange,
): boolean {
  const document = yaml.parseDocument(text, yamlOptions);
  try {
    if (value === undefined) document.deleteIn(path);
    else setKey(document, path, isScalarValue(value) ? value : document.createNode(value));
    return isDeepStrictEqual(yaml.parse(edited, yamlOptions) ?? {}, document.toJS() ?? {});
  } catch {
    // The key goes through an alias or a list, or an alias has lost its anchor.
    return false;
  }
}

function setKey(document: Document, path: KeyPath, value: unknown): void {
  // A key without a value holds null, which cannot have keys below it.
  const empty = path.findIndex(
    (_, depth) => (document.getIn(path.slice(0, depth)) ?? null) === null,
  );
  if (empty === 0) document.contents = document.createNode({});
  else if (empty > 0) document.deleteIn(path.slice(0, empty));
  document.setIn(path, value);
}

/** One change of a text. Methods return `undefined` if they cannot make it. */
class YamlEdit {
  readonly #yaml: Yaml;
  readonly #text: string;
  readonly #path: KeyPath;
  /** The maps along `path` from the outside in, and its entry in each of them, as far as there is one. */
  readonly #maps: YAMLMap[] = [];
  readonly #pairs: Pair[] = [];
  /** The value of the innermost entry; without one, the contents of the document. */
  readonly #end: unknown;
  readonly #document: Document;
  readonly #blockQuote: boolean;

  constructor(yaml: Yaml, text: string, path: KeyPath, blockQuote: boolean) {
    this.#yaml = yaml;
    this.#text = text;
    this.#path = path;
    this.#blockQuote = blockQuote;
    this.#document = yaml.parseDocument(text, yamlOptions);
    let node: unknown = this.#document.contents;
    for (const key of path) {
      if (!yaml.isMap(node)) break;
      this.#maps.push(node);
      const pair = node.items.find((item) => yaml.isScalar(item.key) && item.key.value === key);
      if (pair === undefined) break;
      this.#pairs.push(pair);
      node = pair.value;
    }
    this.#end = node;
  }

  write(value: SettingChange): string | undefined {
    const scalar = isScalarValue(value) ? this.#writeScalar(value) : undefined;
    if (scalar !== undefined) return scalar;
    const flow = this.#maps.find((map) => map.flow);
    if (flow !== undefined) return this.#writeFlow(flow, value);
    const isThere = this.#pairs.length === this.#path.length;
    if (value === undefined) return this.#removeEntry();
    return isThere ? this.#replaceEntry(value) : this.#addEntry(value);
  }

  /** Replaces a scalar, keeping its kind of quotes. */
  #writeScalar(value: string | number | boolean | null): string | undefined {
    const old = this.#end;
    if (this.#pairs.length < this.#path.length || !this.#yaml.isScalar(old) || !old.range)
      return undefined;
    const scalar = this.#document.createNode(value) as Scalar;
    if (typeof value === 'string' && typeof old.value === 'string' && old.type) {
      scalar.type = old.type;
    }
    const written = this.#render(scalar);
    if (written.includes('\n')) return undefined;
    const [start, end] = old.range;
    const gap = start > 0 && this.#text[start - 1] === ':' ? ' ' : '';
    return this.#text.slice(0, start) + gap + written + this.#text.slice(end);
  }

  /** Rewrites the outermost braces around the key. */
  #writeFlow(flow: YAMLMap, value: SettingChange): string | undefined {
    if (!flow.range) return undefined;
    const [start, end, last] = flow.range;
    const comment = this.#text.slice(end, last).trim().slice(1);
    // Anchor and comment are outside the rewritten text.
    delete flow.anchor;
    if (flow.comment?.endsWith(comment)) flow.comment = flow.comment.slice(0, -comment.length);
    if (value === undefined) this.#document.deleteIn(this.#path);
    else this.#document.setIn(this.#path, this.#document.createNode(value));
    const lines = this.#render(flow).split('\n');
    const indent = /^ */.exec(this.#lineAt(start))?.[0] ?? '';
    return this.#text.slice(0, start) + lines.join(`\n${indent}`) + this.#text.slice(end);
  }

  /** Removes the lines of an entry, but keeps a comment after its value. A map never becomes null. */
  #removeEntry(): string | undefined {
    const span = this.#span();
    if (span === undefined) return undefined;
    const { from, to, indent, comment } = span;
    const kept = comment === '' ? '' : `${indent}${comment}\n`;
    const above = this.#text.slice(0, from);
    const below = kept + this.#text.slice(to);
    const parent = rangeOf(this.#pairs.at(-2)?.key);
    if (parent === undefined || (this.#maps.at(-1)?.items.length ?? 0) > 1) return above + below;
    const colon = this.#text.indexOf(':', parent[1]) + 1;
    return `${above.slice(0, colon)} {}${above.slice(colon)}${below}`;
  }

  #replaceEntry(value: SettingChange): string | undefined {
    const span = this.#span();
    if (span === undefined) return undefined;
    const { from, to, indent, comment } = span;
    const lines = this.#entryLines(this.#path.length - 1, value);
    const all = comment === '' ? lines : [comment, ...lines];
    return insertLines(this.#text.slice(0, from), all, indent) + this.#text.slice(to);
  }

  /** Adds an entry after the last one of the innermost map, which may be empty. */
  #addEntry(value: SettingChange): string | undefined {
    const end = this.#end;
    const lines = this.#entryLines(this.#pairs.length, value);
    if (this.#yaml.isMap(end)) {
      const indent = this.#indentOf(end.items[0]);
      const at = lineEnd(this.#text, this.#endOf(end));
      return indent === undefined
        ? undefined
        : insertLines(this.#text.slice(0, at), lines, indent) + this.#text.slice(at);
    }
    const pair = this.#pairs.at(-1);
    const isEmpty = end === null || (this.#yaml.isScalar(end) && end.value === null);
    if (!isEmpty) return undefined;
    if (pair === undefined) return insertLines(this.#text, lines, '');
    const indent = this.#indentOf(pair);
    const key = rangeOf(pair.key);
    if (indent === undefined || key === undefined) return undefined;
    const [start, stop] = rangeOf(end) ?? [key[1], key[1]];
    const bare = this.#text.slice(0, start) + this.#text.slice(stop);
    const at = lineEnd(bare, key[1]);
    const below = indent + ' '.repeat(this.#indentWidth());
    return insertLines(bare.slice(0, at), lines, below) + bare.slice(at);
  }

  /** The lines of the entry at `path`, including its value and the line break after it. */
  #span() {
    const pair = this.#pairs.at(-1);
    const indent = this.#indentOf(pair);
    const key = rangeOf(pair?.key);
    if (indent === undefined || key === undefined) return undefined;
    const isBlock = this.#yaml.isCollection(pair?.value) && !pair.value.flow;
    const end = this.#endOf(pair?.value) ?? key[1];
    const to = lineEnd(this.#text, end);
    const rest = this.#text.slice(end, to).trim();
    // A comment after the last line of a map belongs to that line.
    return { from: key[0] - indent.length, to, indent, comment: isBlock ? '' : rest };
  }

  #entryLines(depth: number, value: SettingChange): string[] {
    const entry = this.#path.slice(depth).reduceRight<unknown>((at, key) => ({ [key]: at }), value);
    return this.#render(entry).split('\n');
  }

  #render(value: unknown): string {
    const options = {
      lineWidth: 0,
      blockQuote: this.#blockQuote,
      indent: this.#indentWidth(),
      flowCollectionPadding: !/[[{][^\s\]}]/.test(this.#text),
      verifyAliasOrder: false,
    };
    return this.#yaml.stringify(value, options).trimEnd();
  }

  /** Spaces per level, from the first indented line; 2 if there is none. */
  #indentWidth(): number {
    return /^( +)[^\s#-]/m.exec(this.#text)?.[1]?.length ?? 2;
  }

  /** The spaces before an entry; `undefined` if something else precedes it. */
  #indentOf(pair: Pair | undefined): string | undefined {
    const start = rangeOf(pair?.key)?.[0];
    const indent = start === undefined ? undefined : this.#lineAt(start);
    return indent !== undefined && /^ *$/.test(indent) ? indent : undefined;
  }

  /** The text of a line before `offset`. */
  #lineAt(offset: number): string {
    return this.#text.slice(this.#text.lastIndexOf('\n', offset - 1) + 1, offset);
  }

  /** Offset after the last value in a node. */
  #endOf(node: unknown): number | undefined {
    const last = this.#yaml.isCollection(node) && !node.flow ? node.items.at(-1) : undefined;
    const inner = this.#yaml.isPair(last) ? this.#endOf(last.value ?? last.key) : undefined;
    return inner ?? rangeOf(node)?.[1];
  }
}

function isScalarValue(value: SettingChange): value is string | number | boolean | null {
  return value !== undefined && (typeof value !== 'object' || value === null);
}

/** Offset after the line that ends at or after `offset`. */
function lineEnd(text: string, offset = 0): number {
  const newline = text.indexOf('\n', Math.max(0, offset - 1));
  return newline === -1 ? text.length : newline + 1;
}

function insertLines(text: string, lines: readonly string[], indent: string): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return text + gap + lines.map((line) => `${indent}${line}\n`).join('');
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return (node as { readonly range?: [number, number, number] | null } | null)?.range ?? undefined;
}
