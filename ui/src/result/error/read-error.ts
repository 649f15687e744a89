/** A stack frame of own code, or consecutive frames of libraries. */
export type Frames =
  | { readonly kind: 'own'; readonly text: string }
  | { readonly kind: 'libraries'; readonly texts: readonly string[] };

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
    frames: foldFrames(lines.filter((line) => frame.test(line)).map((line) => line.trim())),
    isCause,
  };
}

function foldFrames(lines: readonly string[]): readonly Frames[] {
  const frames: Frames[] = [];
  for (const text of lines) {
    const last = frames.at(-1);
    if (!isOfLibrary(text)) frames.push({ kind: 'own', text });
    else if (last?.kind === 'libraries') {
      frames.splice(-1, 1, { kind: 'libraries', texts: [...last.texts, text] });
    } else frames.push({ kind: 'libraries', texts: [text] });
  }
  return frames;
}

function isOfLibrary(line: string): boolean {
  return /[\\/]node_modules[\\/]|\(?node:|<anonymous>|\bnative\b/.test(line);
}
