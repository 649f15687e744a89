/** A place in a case file; both count from 1. */
export interface FilePosition {
  readonly line: number;
  readonly column: number;
}

/** A case file that cannot be used; the message begins with `file:line:column`. */
export class CaseFileError extends Error {
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(file: string, position: FilePosition | undefined, reason: string, cause?: unknown) {
    const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
    super(`${place}: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'CaseFileError';
    this.file = file;
    this.line = position?.line;
    this.column = position?.column;
  }
}

/** Line and column of a character in a text; a line ends with LF. */
export function positionAt(text: string, offset: number): FilePosition {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: offset - lineStart + 1 };
}
