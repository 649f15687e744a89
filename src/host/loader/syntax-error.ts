/** A syntax error in a source file, at an offset in bytes of UTF-8. */
export interface SyntaxMistake {
  readonly message: string;
  readonly offset: number;
  /** The lines of source around it with a marker, if the compiler provides them. */
  readonly frame?: string | null;
}

/** Lines of a frame that repeat the message and the place, end the frame, or are empty. */
const saidAbove = /^\s*(?:[x×] .*|[,╭][-─]+\[.*\]|[`╰][-─]+)?$/;

/**
 * Creates a `SyntaxError` whose first line is `file:line:column: message` (both from 1) and whose stack names that
 * location.
 */
export function createSyntaxError(
  file: string,
  source: string,
  mistake: SyntaxMistake,
): SyntaxError {
  const before = Buffer.from(source).subarray(0, mistake.offset).toString().split('\n');
  const place = `${file}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  const lines = (mistake.frame ?? '').split('\n').filter((line) => !saidAbove.test(line));
  const frame = lines.map((line) => `\n${line.trimEnd()}`).join('');
  const error = new SyntaxError(`${place}: ${mistake.message}${frame}`);
  error.stack = `SyntaxError: ${error.message}\n    at ${place}`;
  return error;
}
