import Table from 'cli-table3';
import { coloursFor } from './colour.js';
import { isNarrow, visibleCharacters, widthOf } from './terminal-text.js';

/** A cell: its text without colours, and its colour. */
export interface Cell {
  readonly text: string;
  readonly paint?: ((text: string) => string) | undefined;
}

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'mid', 'left', 'right'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((end) => [`${side}${end}`, '']),
  ),
);

/** Aligns rows in columns without borders. Every cell is one line that already fits its column. */
export function layOutTable(rows: readonly (readonly Cell[])[], gap: string): string[] {
  if (rows.length === 0) return [];
  const standIns = new StandIns();
  const painted = rows.map((row) =>
    row.map(({ text, paint }) => (paint ?? same)(standIns.replace(text))),
  );
  return alignedLines(painted, gap)
    .map((line) => standIns.restore(line).trimEnd())
    .filter((line) => line !== '');
}

/** Aligns text in columns under dim headings, without borders. */
export function renderColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const dim = coloursFor('stdout').dim;
  return alignedLines([head.map((title) => dim(title)), ...rows], '   ')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

function alignedLines(rows: readonly (readonly string[])[], gap: string): string[] {
  const table = new Table({
    chars: { ...noBorders, middle: gap },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
  });
  for (const row of rows) table.push([...row]);
  return table.toString().split('\n');
}

// A wider column would be blank in all other rows.
const widestColumn = 160;

/** Aligns rows in columns without borders or cuts, for unlimited lines. After a very long cell, a new line begins. */
export function layOutWhole(rows: readonly (readonly Cell[])[], gap: string): string[] {
  const isLong = ({ text }: Cell) => widthOf(text) > widestColumn;
  const widths = columnWidths(
    rows.map((row) => row.map((cell) => (isLong(cell) ? { text: '' } : cell))),
  );
  return rows.flatMap((row) => {
    const lines: string[] = [];
    let line = '';
    let start = 0;
    for (const [at, cell] of row.entries()) {
      const { text, paint } = cell;
      line += ' '.repeat(Math.max(0, start - widthOf(line))) + (paint ?? same)(text);
      start += (widths[at] ?? 0) + gap.length;
      if (isLong(cell)) {
        lines.push(line);
        line = '';
      }
    }
    return [...lines, line].filter((one) => one.trim() !== '');
  });
}

/** The width of the widest text in each column. */
export function columnWidths(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, { text }] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, widthOf(text));
    }
  }
  return widths;
}

/** A column that shares a line with others. */
export interface SharedColumn {
  /** The width of its widest cell. */
  readonly natural: number;
  /** Its share of the room relative to the others; 0 for one that is never cut. */
  readonly weight: number;
}

/**
 * Distributes room among columns: those that need less than their share get what they need, the others get the
 * rest.
 */
export function shareWidths(columns: readonly SharedColumn[], room: number): number[] {
  const widths = columns.map(({ natural, weight }) => (weight === 0 ? natural : 0));
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  let open = columns.flatMap(({ weight }, at) => (weight > 0 ? [at] : []));
  for (;;) {
    const weights = open.reduce((sum, at) => sum + (columns[at]?.weight ?? 0), 0);
    const part = Math.max(0, left) / Math.max(1, weights);
    const modest = open.filter((at) => fits(columns[at], part));
    if (modest.length === 0) {
      for (const at of open)
        widths[at] = Math.max(1, Math.floor(part * (columns[at]?.weight ?? 0)));
      return widths;
    }
    for (const at of modest) {
      widths[at] = columns[at]?.natural ?? 0;
      left -= widths[at] ?? 0;
    }
    open = open.filter((at) => !modest.includes(at));
  }
}

function fits(column: SharedColumn | undefined, part: number): boolean {
  return column !== undefined && column.natural <= part * column.weight;
}

const begin = '\uE000';
const continuation = '\uE001';

/**
 * Works around cli-table3's outdated list of wide and invisible characters: replaces text with such characters by
 * one-column stand-ins, and puts the original back in the result.
 */
class StandIns {
  readonly #replaced: string[] = [];
  #next = 0;

  replace(text: string): string {
    if (isNarrow(text)) return text;
    let replaced = '';
    for (const character of visibleCharacters(text)) {
      const isPlain = /^[\x20-\x7e]$/.test(character.text);
      if (isPlain) replaced += character.text;
      // A character without width belongs to the one before it.
      else if (character.width === 0)
        this.#replaced.push((this.#replaced.pop() ?? '') + character.text);
      else {
        this.#replaced.push(character.text);
        replaced += begin + continuation.repeat(character.width - 1);
      }
    }
    return replaced;
  }

  restore(line: string): string {
    return line.replace(/\uE000\uE001*/g, () => {
      const real = this.#replaced[this.#next] ?? '';
      this.#next += 1;
      return real;
    });
  }
}

function same(text: string): string {
  return text;
}
