import {
  foldRepetitions,
  packagesText,
  parseStackFrame,
  type RepeatedFrames,
  type StackFrame,
} from '../../../../src/text/stack-frame.js';

/** Stack frames of own code, or consecutive frames of packages and of Node. */
export type Frames =
  | ({ readonly kind: 'own' } & RepeatedFrames)
  | {
      readonly kind: 'others';
      readonly frames: readonly StackFrame[];
      /** `12 frames of openai`. */
      readonly words: string;
    };

/** An error, or a cause of one. */
export interface ErrorPart {
  /** Such as `TypeError`; absent if the text has none. */
  readonly name: string | undefined;
  readonly message: string;
  readonly frames: readonly Frames[];
  readonly isCause: boolean;
}

const frame = /^\s+at /;

/** Parses the text of an error: name, message and stack, and those of its causes. */
export function readError(text: string): readonly ErrorPart[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    const hasFrames = parts.at(-1)?.some((before) => frame.test(before)) ?? false;
    if (/^Caused by: /.test(line) || (hasFrames && !frame.test(line) && line.trim() !== '')) {
      parts.push([]);
    }
    parts.at(-1)?.push(line);
  }
  return parts.map(readPart);
}

function readPart(lines: readonly string[]): ErrorPart {
  const message = lines
    .filter((line) => !frame.test(line))
    .join('\n')
    .trimEnd();
  const isCause = message.startsWith('Caused by: ');
  const whole = isCause ? message.slice('Caused by: '.length) : message;
  const named = /^([\p{Lu}_$][\w$]*(?: \[[^\]\n]+\])?): ([\s\S]*)$/u.exec(whole);
  return {
    name: named?.[1],
    message: named?.[2] ?? whole,
    frames: foldFrames(lines.flatMap((line) => parseStackFrame(line) ?? [])),
    isCause,
  };
}

function foldFrames(all: readonly StackFrame[]): readonly Frames[] {
  const frames: Frames[] = [];
  // Not of interest to those whose evaluation it is.
  const told = all.filter(({ owner }) => owner !== 'assay');
  for (let from = 0; from < told.length; ) {
    const isOwn = told[from]?.owner === 'user';
    let to = from;
    while (to < told.length && (told[to]?.owner === 'user') === isOwn) to += 1;
    const part = told.slice(from, to);
    if (isOwn) {
      frames.push(...foldRepetitions(part).map((one) => ({ kind: 'own' as const, ...one })));
    } else {
      const packages = part.filter(({ owner }) => owner !== 'runtime');
      const words = packages.length > 0 ? packagesText(packages) : builtInText(part.length);
      frames.push({ kind: 'others', frames: part, words });
    }
    from = to;
  }
  return frames;
}

const builtInText = (count: number) => `${count} built-in ${count === 1 ? 'frame' : 'frames'}`;
