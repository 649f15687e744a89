import { readFileSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ChalkInstance } from 'chalk';
import { countOf } from '../../text/count-text.js';
import { isInside, relativePath, shownPath } from '../../text/file-path.js';
import {
  foldRepetitions,
  frameText,
  packagesText,
  parseStackFrame,
  type RepeatedFrames,
  repetitionText,
  type StackFrame,
} from '../../text/stack-frame.js';
import { asTyped } from '../as-typed.js';
import { escapeTerminal, fitWidth, wrapLine } from '../terminal/terminal-text.js';

const largestSource = 1024 * 1024;

export interface EvaluationErrorOptions {
  /** The folder to which frames are relative; only files below it are read for lines of code. */
  readonly cwd: string;
  readonly columns: number;
  readonly colours: ChalkInstance;
  /** Redacts secrets in a line of code; stored texts are already redacted. */
  readonly redact?: ((text: string) => string) | undefined;
}

const mostFrames = 3;
// In a log. A terminal has its own maximum.
const mostLoggedFrames = 20;
const mostMessageLines = 30;
// Maximum length of a shown line, however wide the terminal is.
const longestLine = 4000;

/**
 * Renders an error of an evaluation: its name, the message, the user's line of code and the first user frames.
 * Frames of packages are counted; only a stack without user frames shows its first ones.
 */
export function renderEvaluationError(
  name: string,
  error: string,
  options: EvaluationErrorOptions,
): string[] {
  const { colours, columns } = options;
  const title = fitWidth(escapeTerminal(name), columns - 4, 'middle');
  const lines = [`  ${colours.red('!')} ${colours.bold(title)}`];
  const most = columns === Number.POSITIVE_INFINITY ? mostLoggedFrames : mostFrames;
  let messages = 0;
  let hasCode = false;
  for (const part of partsOf(error)) {
    for (const line of part.message) {
      messages += 1;
      if (messages > mostMessageLines && columns !== Number.POSITIVE_INFINITY) break;
      const text = messages === 1 ? line : line.replaceAll('\t', '  ');
      const shown = escapeTerminal(asTyped(text.slice(0, longestLine)));
      lines.push(...wrapLine(shown, columns - 4).map((one) => `    ${one}`));
    }
    const own = part.frames.filter(({ owner }) => owner === 'user');
    const { shown, hidden } = firstFrames(own.length > 0 ? own : part.frames, most);
    const code: SourceLine | undefined = hasCode
      ? undefined
      : firstCode(
          shown.flatMap(({ frames }) => frames),
          options,
        );
    // One of several errors is indented, with its frames.
    const [indent = ''] = /^ {0,8}/.exec(part.message[0] ?? '') ?? [];
    const indented = (text: string) => `${indent}${fitted(text, columns - indent.length)}`;
    for (const repeated of shown) {
      for (const frame of repeated.frames) {
        if (code?.frame === frame) lines.push(indented(code.text));
        const text = frameText(frame, options.cwd);
        const count = repeated.frames.length === 1 ? repetitionText(repeated) : undefined;
        lines.push(colours.dim(indented(count === undefined ? text : `${text} ${count}`)));
      }
      const count = repeated.frames.length === 1 ? undefined : repetitionText(repeated);
      if (count !== undefined) lines.push(colours.dim(indented(count)));
    }
    hasCode ||= code !== undefined;
    const others = own.length > 0 ? part.frames.filter(({ owner }) => owner !== 'user') : [];
    const folded = foldedText([...hidden, ...others]);
    if (folded !== undefined) lines.push(colours.dim(indented(folded)));
  }
  return lines;
}

/** The first frames, each repetition once, and the frames that are not shown. */
function firstFrames(frames: readonly StackFrame[], most: number) {
  const shown: RepeatedFrames[] = [];
  let lines = 0;
  let covered = 0;
  for (const repeated of foldRepetitions(frames)) {
    if (lines >= most) break;
    shown.push(repeated);
    lines += repeated.frames.length;
    covered += repeated.frames.length * repeated.times;
  }
  return { shown, hidden: frames.slice(covered) };
}

/** A message and its stack; an error with causes has several parts. */
interface ErrorPart {
  readonly message: string[];
  readonly frames: StackFrame[];
}

function partsOf(error: string): ErrorPart[] {
  const parts: ErrorPart[] = [];
  for (const line of error.split('\n')) {
    const frame = parseStackFrame(line);
    const last = parts.at(-1);
    // Of no use to those whose evaluation it is.
    if (frame?.owner === 'assay') continue;
    if (frame !== undefined) {
      if (last === undefined) parts.push({ message: [], frames: [frame] });
      else last.frames.push(frame);
    } else if (last === undefined || last.frames.length > 0) {
      parts.push({ message: [line], frames: [] });
    } else {
      last.message.push(line);
    }
  }
  return parts;
}

interface SourceLine {
  readonly frame: StackFrame;
  readonly text: string;
}

/** The source line of the first frame that has one. */
function firstCode(
  frames: readonly StackFrame[],
  { cwd, redact = same }: EvaluationErrorOptions,
): SourceLine | undefined {
  for (const frame of frames) {
    const code = readSourceLine(frame, cwd);
    if (code !== undefined) return { frame, text: `${frame.line} │ ${redact(code)}` };
  }
  return undefined;
}

/** `… 12 frames of openai, 3 more` for hidden frames; frames of the runtime are not mentioned. */
function foldedText(hidden: readonly StackFrame[]): string | undefined {
  const frames = hidden.filter(({ owner }) => owner !== 'runtime');
  const packages = frames.filter(({ owner }) => owner !== 'user');
  const more = frames.length - packages.length;
  if (packages.length === 0) return more === 0 ? undefined : `… ${countOf(more, 'more frame')}`;
  return `… ${packagesText(packages)}${more === 0 ? '' : `, ${more} more`}`;
}

/** The first location of an error in the user's own files: path, relative to `cwd`, and line. */
export function placeOfError(
  error: string,
  cwd: string,
): { readonly file: string; readonly line: number } | undefined {
  const [first] = partsOf(error);
  const frame = first?.frames.find(({ owner }) => owner === 'user');
  if (frame === undefined) return undefined;
  const file = shownPath(cwd, frame.file);
  return isAbsolute(file) ? undefined : { file, line: frame.line };
}

/** The message of an error in one line, without the stack. */
export function errorHeading(error: string): string {
  return error.split('\n', 1)[0] ?? '';
}

function fitted(line: string, columns: number): string {
  return `      ${fitWidth(escapeTerminal(line.slice(0, longestLine)), columns - 6)}`;
}

function same(text: string): string {
  return text;
}

/**
 * Reads a line of a source file below a folder, trimmed; `undefined` if there is none. Files of packages are
 * excluded.
 */
function readSourceLine(
  place: { readonly file: string; readonly line: number },
  folder: string,
): string | undefined {
  if (!isAbsolute(place.file)) return undefined;
  // Stacks are untrusted text, and must not select files outside the folder.
  if (!isInside(folder, place.file)) return undefined;
  if (relativePath(folder, place.file).split('/').includes('node_modules')) return undefined;
  try {
    const found = statSync(place.file);
    // Devices and pipes might never end.
    if (!found.isFile() || found.size > largestSource) return undefined;
    const line = readFileSync(place.file, 'utf8').split('\n')[place.line - 1]?.trim();
    return line === '' ? undefined : line;
  } catch {
    return undefined;
  }
}
