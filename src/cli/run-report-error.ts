import { fileURLToPath } from 'node:url';
import type { ChalkInstance } from 'chalk';
import { shownPath } from '../text/file-path.js';
import { readSourceLine } from './run-report-source.js';
import { escapeTerminal, fitWidth } from './terminal-text.js';

export interface EvaluationErrorOptions {
  /** Folder that frames are shown relative to; lines of code are only read below it. */
  readonly cwd: string;
  readonly columns: number;
  readonly colours: ChalkInstance;
  /** Takes secrets out of a line of code; what was stored has none. */
  readonly redact?: ((text: string) => string) | undefined;
}

const mostFrames = 3;
const mostMessageLines = 10;
// Beyond this nothing is shown of a line, however wide the terminal is.
const longestLine = 1000;

/**
 * The lines that tell an error of an evaluation: its name, the message, the user's line of code and the first
 * frames of its stack.
 */
export function renderEvaluationError(
  name: string,
  error: string,
  options: EvaluationErrorOptions,
): string[] {
  const { colours, columns } = options;
  const title = fitWidth(escapeTerminal(name), columns - 4);
  const lines = [`  ${colours.red('!')} ${colours.bold(title)}`];
  let frames = 0;
  let messages = 0;
  let hasCode = false;
  for (const line of error.split('\n')) {
    const frame = parseFrame(line, options.cwd);
    if (frame === undefined) {
      frames = 0;
      messages += 1;
      if (messages > mostMessageLines) continue;
      lines.push(fitted(messages === 1 ? line : line.replaceAll('\t', '  '), '    ', columns));
      continue;
    }
    const code = hasCode || frames >= mostFrames ? undefined : readSourceLine(frame, options.cwd);
    if (code !== undefined) {
      hasCode = true;
      const text = `${frame.line} │ ${(options.redact ?? same)(code)}`;
      lines.push(fitted(text, '      ', columns));
    }
    frames += 1;
    if (frames <= mostFrames) lines.push(colours.dim(fitted(frame.text, '      ', columns)));
  }
  return lines;
}

/** What an error says in one line, without its stack. */
export function errorHeading(error: string): string {
  return error.split('\n', 1)[0] ?? '';
}

/** One place in a stack. */
interface Frame {
  /** As it is shown, with the file relative to the working directory. */
  readonly text: string;
  /** Absolute path; empty when it is no file. */
  readonly file: string;
  readonly line: number;
}

function parseFrame(line: string, cwd: string): Frame | undefined {
  const at = /^\s+at (.*)$/.exec(line.slice(0, longestLine))?.[1];
  if (at === undefined) return undefined;
  const place = /^(.*?)((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):(\d+)(\)?)$/.exec(at);
  if (place === null) return { text: `at ${at}`, file: '', line: 0 };
  const [, before = '', where = '', row = '', column = '', after = ''] = place;
  const file = toPath(where);
  const text = `at ${before}${shownPath(cwd, file)}:${row}:${column}${after}`;
  return { text, file, line: Number(row) };
}

function toPath(where: string): string {
  try {
    return where.startsWith('file://') ? fileURLToPath(where) : where;
  } catch {
    return where;
  }
}

function fitted(line: string, indent: string, columns: number): string {
  return indent + fitWidth(escapeTerminal(line.slice(0, longestLine)), columns - indent.length);
}

function same(text: string): string {
  return text;
}
