import type { Document, Pair, Scalar, YAMLMap } from 'yaml';
import type { KeyPath } from './key-path.js';
import type { Yaml } from './read-yaml.js';

/** A scalar that a settings file can hold. */
export type SettingScalar = string | number | boolean | null;

type Range = readonly [number, number, number];

/** Replaces the text of one scalar; `undefined` when there is none at `path`. */
export function spliceScalar(
  yaml: Yaml,
  text: string,
  path: KeyPath,
  value: SettingScalar,
): string | undefined {
  const document = yaml.parseDocument(text);
  const old = document.getIn(path, true);
  if (!yaml.isScalar(old) || !old.range || old.anchor) return undefined;
  const [start, end] = old.range;
  const scalar = document.createNode(value) as Scalar;
  if (typeof value === 'string' && typeof old.value === 'string' && old.type) {
    scalar.type = old.type;
  }
  const written = yaml.stringify(scalar, { lineWidth: 0 }).trimEnd();
  if (written.includes('\n')) return undefined;
  const gap = start > 0 && text[start - 1] === ':' ? ' ' : '';
  return text.slice(0, start) + gap + written + text.slice(end);
}

/** Adds a line below the last one of the innermost map around `path`; `undefined` where that is no block map. */
export function spliceNewKey(
  yaml: Yaml,
  text: string,
  path: KeyPath,
  value: SettingScalar,
): string | undefined {
  const document = yaml.parseDocument(text);
  const depth = existingDepth(document, path);
  const map = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
  const nested = path.slice(depth).reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  if (map === null && depth === 0) return appendLines(text, renderLines(yaml, nested, 2), '');
  if (!yaml.isMap(map) || map.flow || map.items.length === 0) return undefined;
  const sibling = map.items[0] as Pair;
  const start = rangeOf(sibling.key)?.[0];
  const last = lastOffset(map);
  if (start === undefined || last === undefined) return undefined;
  const indent = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (!/^ *$/.test(indent)) return undefined;
  const lineEnd = text.indexOf('\n', Math.max(0, last - 1));
  const at = lineEnd === -1 ? text.length : lineEnd + 1;
  const lines = renderLines(yaml, nested, indentWidth(text));
  return appendLines(text.slice(0, at), lines, indent) + text.slice(at);
}

/** Takes out the line of a key with a scalar; its comments stay. `undefined` where it is not one line. */
export function spliceOutKey(yaml: Yaml, text: string, path: KeyPath): string | undefined {
  const document = yaml.parseDocument(text);
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (!yaml.isMap(parent) || parent.flow) return undefined;
  const pair = parent.items.find(
    (item) => yaml.isScalar(item.key) && item.key.value === path.at(-1),
  );
  const key = rangeOf(pair?.key);
  const value = yaml.isScalar(pair?.value) ? rangeOf(pair.value) : undefined;
  if (key === undefined || value === undefined) return undefined;
  const lineStart = text.lastIndexOf('\n', key[0] - 1) + 1;
  const newline = text.indexOf('\n', value[1]);
  const lineEnd = newline === -1 ? text.length : newline + 1;
  if (text.slice(key[0], value[1]).includes('\n')) return undefined;
  const indent = text.slice(lineStart, key[0]);
  const rest = text.slice(value[1], lineEnd).trimStart();
  return text.slice(0, lineStart) + (rest === '' ? '' : indent + rest) + text.slice(lineEnd);
}

/** Spaces per level in a YAML text, as its first indented line has them; 2 when none is. */
export function indentWidth(text: string): number {
  return /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
}

function existingDepth(document: Document, path: KeyPath): number {
  let depth = 0;
  while (depth < path.length - 1 && document.hasIn(path.slice(0, depth + 1))) depth += 1;
  return depth;
}

function renderLines(yaml: Yaml, value: unknown, indent: number): string[] {
  return yaml.stringify(value, { lineWidth: 0, indent }).trimEnd().split('\n');
}

function appendLines(text: string, lines: readonly string[], indent: string): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  return text + gap + lines.map((line) => `${indent}${line}\n`).join('');
}

/** Offset behind the last thing that a map holds. */
function lastOffset(map: YAMLMap): number | undefined {
  const last = map.items.at(-1);
  const value = last?.value as { readonly items?: readonly unknown[]; readonly flow?: boolean };
  const inner = value?.items && !value.flow ? lastOffset(value as YAMLMap) : undefined;
  return inner ?? rangeOf(last?.value)?.[1] ?? rangeOf(last?.key)?.[1];
}

function rangeOf(node: unknown): Range | undefined {
  return (node as { readonly range?: Range | null } | null | undefined)?.range ?? undefined;
}
