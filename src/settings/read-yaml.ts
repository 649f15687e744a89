import type { Document, LineCounter, YAMLError } from 'yaml';
import {
  leftAlone,
  placeText,
  SettingsError,
  type SettingsPlace,
  type ValuePath,
} from './settings-error.js';

/** The functions of the yaml package, which is loaded only when there is something to read. */
export type Yaml = typeof import('yaml');

/** The value of a YAML text, with the positions of its keys. */
export interface PlacedValue {
  readonly value: unknown;
  /** The position of a key; of the nearest key around it if it has no position itself. */
  placeOf(path: ValuePath): SettingsPlace;
  /** Warnings of the parser, each with its position. */
  readonly warnings: readonly string[];
}

/** Options for settings files: YAML 1.2 with `<<` merges, and errors without code frames. */
export const yamlOptions = { merge: true, prettyErrors: false } as const;

/**
 * Parses one YAML document; an empty one is an empty map. `file` is used in messages. Throws a `SettingsError` with
 * line and column for invalid YAML.
 */
export function readYaml(yaml: Yaml, text: string, file: string): PlacedValue {
  const lines = new yaml.LineCounter();
  const document = yaml.parseDocument(text, { ...yamlOptions, lineCounter: lines });
  const place = (at: number | undefined) => placeAt(file, lines, at);
  if (document.errors.length > 0) throw syntaxError(document.errors, place);
  return {
    value: plainValue(document, place(0)),
    placeOf: (path) => place(offsetOf(document, path)),
    warnings: document.warnings.map((w) => `${placeText(place(w.pos[0]))}: ${w.message}`),
  };
}

function placeAt(file: string, lines: LineCounter, at: number | undefined): SettingsPlace {
  if (at === undefined || lines.lineStarts.length === 0) return { file };
  const { line, col } = lines.linePos(at);
  return { file, line, column: col };
}

function syntaxError(
  errors: readonly YAMLError[],
  place: (at: number | undefined) => SettingsPlace,
): SettingsError {
  const [first, ...others] = errors.map((e) => ({
    place: place(e.pos[0]),
    text: faultText(e),
  }));
  return new SettingsError(`${first?.text ?? 'This is not YAML'}.`, {
    ...(first && { place: first.place }),
    hints: [
      ...others.slice(0, 5).map((other) => `${placeText(other.place)}: ${other.text}`),
      leftAlone,
    ],
  });
}

function faultText({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') return 'A settings file is one YAML document';
  // The parser is recursive.
  return /call stack/.test(message) ? 'This is nested too deeply' : message;
}

function plainValue(document: Document, place: SettingsPlace): unknown {
  try {
    return document.toJS() ?? {};
  } catch (cause) {
    // Aliases without an anchor, or so many that they would exhaust the memory.
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SettingsError(`${reason}.`, { place, cause, hints: [leftAlone] });
  }
}

/** Offset of the last key of `path` that the document contains. */
function offsetOf(document: Document, path: ValuePath): number | undefined {
  let node: unknown = document.contents;
  let offset = rangeStart(node);
  for (const key of path) {
    const pairs = (node as { items?: readonly unknown[] } | null)?.items ?? [];
    const pair = pairs.find((item) => keyText(item) === String(key));
    if (pair === undefined) return offset;
    const { key: keyNode, value } = pair as { key: unknown; value: unknown };
    offset = rangeStart(keyNode) ?? offset;
    node = value;
  }
  return offset;
}

function keyText(item: unknown): string | undefined {
  const key = (item as { key?: { value?: unknown } } | null)?.key;
  return key?.value === undefined ? undefined : String(key.value);
}

function rangeStart(node: unknown): number | undefined {
  return (node as { range?: readonly number[] } | null)?.range?.[0];
}
