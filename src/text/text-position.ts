/** A place in a text file; both count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Line and column of a character in a text; a line ends with LF. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
