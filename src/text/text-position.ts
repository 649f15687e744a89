/** A position in a text file; line and column count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The lines of ascending offsets. */
export function linesOf(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let end = text.indexOf('\n');
  return offsets.map((offset) => {
    for (; end !== -1 && end < offset; end = text.indexOf('\n', end + 1)) line += 1;
    return line;
  });
}

/** The line and column of an offset; lines end with LF. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
