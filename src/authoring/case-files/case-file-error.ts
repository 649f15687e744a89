import type { TextPosition } from '../../text/text-position.js';

/** A case file that cannot be used; the message begins with `file:line:column`. */
export class CaseFileError extends Error {
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(file: string, position: TextPosition | undefined, reason: string, cause?: unknown) {
    const place = position === undefined ? file : `${file}:${position.line}:${position.column}`;
    super(`${place}: ${reason}`, cause === undefined ? undefined : { cause });
    this.name = 'CaseFileError';
    this.file = file;
    this.line = position?.line;
    this.column = position?.column;
  }
}
