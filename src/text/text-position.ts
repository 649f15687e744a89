/** A position in a text file; line and column count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The line and column of an offset; lines end with LF. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
