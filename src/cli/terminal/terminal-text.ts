import { createRequire } from 'node:module';
import { stripVTControlCharacters } from 'node:util';
import { escapeCommands } from '../../text/ci-commands.js';
import { codeEscape, escapeHidden } from '../../text/hidden-characters.js';

// Without ◽ and ◾, which take two columns.
const narrow =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u22ff\u2500-\u25fc✓✗]*$/;

const shortEscapes = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/**
 * Escapes untrusted text for one line on a terminal: control characters, direction marks, invisible characters and
 * lone surrogates appear as `\n`, `\t` or `\u{1b}`; so does a character of what a CI service would take for a command.
 */
export function escapeTerminal(text: string): string {
  const harmless = inertLine(text);
  if (isNarrow(harmless)) return harmless;
  return escapeHidden(harmless, (found) => shortEscapes.get(found) ?? codeEscape(found));
}

function inertLine(text: string): string {
  return escapeCommands(text, codeEscape);
}

/** True when every character takes one column: cheap to check, and true for nearly all text. */
export function isNarrow(text: string): boolean {
  return narrow.test(text);
}

/** Escapes untrusted text for several lines; tabs become two spaces. */
export function escapeLines(text: string): string[] {
  return text
    .replace(/\r\n/g, '\n')
    .split('\n')
    .map((line) => escapeTerminal(line.replaceAll('\t', '  ')));
}

/** The number of columns of a text on a terminal, without colours. */
export function widthOf(text: string): number {
  const bare = text.includes('\x1b') ? stripVTControlCharacters(text) : text;
  return isNarrow(bare) ? bare.length : wideText().width(bare);
}

/**
 * Cuts text to at most `columns` columns at the end, the start or the middle, with `…`. The text must not contain
 * colours or control characters. Names and ids are cut in the middle, because they differ at their ends.
 */
export function fitWidth(
  text: string,
  columns: number,
  cut: 'end' | 'start' | 'middle' = 'end',
): string {
  if (columns <= 0) return '';
  if (widthOf(text) <= columns) return text;
  if (cut === 'end') return cutEnd(text, columns);
  if (cut === 'start') return `…${endOf(text, columns - 1)}`;
  const start = cutEnd(text, Math.ceil(columns / 3));
  return start + endOf(text, columns - widthOf(start));
}

/** Cuts names to at most `columns` columns so that they stay different: in the middle, or else at the start. */
export function fitNames(names: readonly string[], columns: number): string[] {
  const fitted = names.map((name) => fitWidth(name, columns, 'middle'));
  if (new Set(fitted).size === new Set(names).size) return fitted;
  return names.map((name) => fitWidth(name, columns, 'start'));
}

/** Wraps text to lines of at most `columns` columns, at spaces if possible. */
export function wrapLine(text: string, columns: number): string[] {
  if (widthOf(text) <= columns) return [text];
  const lines = [''];
  let width = 0;
  for (const word of text.split(/(?<=\s)(?=\S)/)) {
    for (const piece of piecesOf(word, columns)) {
      if (width > 0 && width + widthOf(piece.trimEnd()) > columns) {
        lines.push('');
        width = 0;
      }
      lines.push(lines.pop() + piece);
      width += widthOf(piece);
    }
  }
  // Wrapping may have put a command at the start of a line.
  return lines.map((line) => inertLine(line.trimEnd()));
}

/** Splits a word that is longer than a line. */
function* piecesOf(word: string, columns: number): Generator<string> {
  let piece = '';
  if (widthOf(word.trimEnd()) <= columns) {
    yield word;
    return;
  }
  let width = 0;
  for (const character of visibleCharacters(word)) {
    if (width > 0 && width + character.width > columns) {
      yield piece;
      piece = '';
      width = 0;
    }
    piece += character.text;
    width += character.width;
  }
  yield piece;
}

/** Pads text with spaces to `columns`; longer text is unchanged. */
export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** The user-perceived characters of a text, with their width in columns. */
export function* visibleCharacters(text: string): Generator<{ text: string; width: number }> {
  const { segmenter, width } = wideText();
  for (const { segment } of segmenter.segment(text)) {
    yield { text: segment, width: width(segment) };
  }
}

/** The beginning of a text that is too wide, with `…`. */
function cutEnd(text: string, columns: number): string {
  if (isNarrow(text)) return `${text.slice(0, columns - 1)}…`;
  let width = 0;
  let kept = '';
  for (const character of visibleCharacters(text)) {
    width += character.width;
    if (width >= columns) break;
    kept += character.text;
  }
  return `${kept}…`;
}

/** The end of a text that is too wide. */
function endOf(text: string, columns: number): string {
  if (isNarrow(text)) return text.slice(text.length - columns);
  let width = 0;
  let kept = '';
  for (const character of [...visibleCharacters(text)].reverse()) {
    width += character.width;
    if (width > columns) break;
    kept = character.text + kept;
  }
  return kept;
}

interface WideText {
  readonly segmenter: Intl.Segmenter;
  readonly width: (text: string) => number;
}

let loaded: WideText | undefined;

/** Loaded for the first text that needs it, because these tables take longer to load than a small run. */
function wideText(): WideText {
  if (loaded !== undefined) return loaded;
  const require = createRequire(import.meta.url);
  const { default: width } = require('string-width') as typeof import('string-width');
  loaded = { segmenter: new Intl.Segmenter(), width };
  return loaded;
}

const between = ' · ';

/**
 * Joins parts with ` · ` on as many lines of at most `columns` columns as they need. The parts have no colours;
 * `paint` adds them at the end.
 */
export function wrapParts(
  parts: readonly string[],
  columns: number,
  indent: string,
  paint: (part: string) => string = (part) => part,
): string[] {
  const lines: string[][] = [];
  let width = 0;
  for (const part of parts) {
    const fitted = fitWidth(part, columns - indent.length);
    const longer = width + between.length + widthOf(fitted);
    if (lines.length === 0 || longer > columns) {
      lines.push([fitted]);
      width = indent.length + widthOf(fitted);
    } else {
      lines.at(-1)?.push(fitted);
      width = longer;
    }
  }
  return lines.map((line) => indent + line.map(paint).join(between));
}
