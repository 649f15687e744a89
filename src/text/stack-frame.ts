/** One frame of a stack. */
export interface StackFrame {
  /** What comes before the place: `deep (`, `async `. */
  readonly before: string;
  /** Absolute path, or `node:…`; empty for code that is in no file. */
  readonly file: string;
  /** From 1; 0 without a file. */
  readonly line: number;
  /** From 1; 0 without a file. */
  readonly column: number;
  /** What comes after the place: `)`. */
  readonly after: string;
  /** `user`, the name of a package, or `runtime`. */
  readonly owner: string;
}

// A line may be any text, however long.
const longestLine = 4000;
const path = String.raw`(?:file:\/\/|node:|\/|[A-Za-z]:[\\/]|\\\\)`;
const named = new RegExp(String.raw`^(.*? \()(${path}.*):(\d+):(\d+)\)$`);
const unnamed = new RegExp(String.raw`^(async )?(${path}.*):(\d+):(\d+)$`);
/** Evaluated code stands where `eval` was called; of several, in the innermost. */
const evaluated = new RegExp(String.raw`^(.*? \()eval at .*\((${path}[^()]*):(\d+):(\d+)\)`);

/** Parses a line of a stack, `    at name (file:line:column)`; `undefined` for any other line. */
export function parseStackFrame(line: string): StackFrame | undefined {
  const at = /^\s+at (.*)$/.exec(line.slice(0, longestLine))?.[1];
  if (at === undefined) return undefined;
  const called = evaluated.exec(at) ?? named.exec(at);
  const place = called ?? unnamed.exec(at);
  const nowhere = { file: '', line: 0, column: 0, after: '', owner: 'runtime' };
  if (place === null) return { before: at, ...nowhere };
  const [, before = '', where = '', row, column] = place;
  const file = pathOf(where);
  const after = called === null ? '' : ')';
  return { before, file, line: Number(row), column: Number(column), after, owner: ownerOf(file) };
}

/** The place of a frame, relative to a folder if it is below it: `evals/a.eval.ts:4:46`; empty if it is not in a file. */
export function framePlace({ file, line, column }: StackFrame, folder: string): string {
  if (file === '') return '';
  const isInside =
    folder !== '' && file.startsWith(folder) && /^[\\/]/.test(file.slice(folder.length));
  const shown = isInside ? file.slice(folder.length + 1).replaceAll('\\', '/') : file;
  return `${shown}:${line}:${column}`;
}

/** A frame as shown: `at deep (evals/a.eval.ts:4:46)`. */
export function frameText(frame: StackFrame, folder: string): string {
  return `at ${frame.before}${framePlace(frame, folder)}${frame.after}`;
}

/** `12 frames of openai, zod`: packages by the frames that they own. */
export function packagesText(frames: readonly StackFrame[]): string {
  const names = [...new Set(frames.map(({ owner }) => owner))];
  const shown = names.length <= 3 ? names.join(', ') : `${names.slice(0, 3).join(', ')}, …`;
  return `${frames.length} ${frames.length === 1 ? 'frame' : 'frames'} of ${shown}`;
}

/** Frames that follow each other, once, and how often. */
export interface RepeatedFrames {
  readonly frames: readonly StackFrame[];
  readonly times: number;
}

/** Functions that call each other in a circle, at most. */
const longestCircle = 4;

/** Frames in order, with those that repeat once: what a recursion leaves, also one through several functions. */
export function foldRepetitions(frames: readonly StackFrame[]): readonly RepeatedFrames[] {
  const names = frames.map((frame) => frameText(frame, ''));
  const folded: RepeatedFrames[] = [];
  for (let at = 0; at < frames.length; ) {
    let [length, times] = [1, 1];
    for (let size = 1; size <= longestCircle && times === 1; size += 1) {
      let end = at + size;
      while (end < names.length && names[end] === names[end - size]) end += 1;
      const found = Math.floor((end - at) / size);
      // A pair of frames is read faster than a count.
      if (found > 2) [length, times] = [size, found];
    }
    folded.push({ frames: frames.slice(at, at + length), times });
    at += length * times;
  }
  return folded;
}

/** What is said after repeated frames: `×30`; of several, on a line of its own. Absent for frames that are there once. */
export function repetitionText({ frames, times }: RepeatedFrames): string | undefined {
  if (times === 1) return undefined;
  return frames.length === 1 ? `×${times}` : `… these ${frames.length} frames ${times} times`;
}

/** The package of a file below `node_modules`. */
function ownerOf(file: string): string {
  if (file.startsWith('node:')) return 'runtime';
  const [, name] = /^.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(file) ?? [];
  return name?.replace('\\', '/') ?? 'user';
}

/** The path of a `file:` URL, without the query with which loaders import a file again. */
function pathOf(where: string): string {
  if (!where.startsWith('file://')) return where;
  const [way = ''] = where.slice('file://'.length).split(/[?#]/, 1);
  const toWindows = (path: string) =>
    /^\/[A-Za-z]:/.test(path) ? path.slice(1).replaceAll('/', '\\') : path;
  try {
    return toWindows(decodeURIComponent(way));
  } catch {
    return toWindows(way);
  }
}
