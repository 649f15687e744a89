/** A line of one text, and the one of the other text that is in its place. */
export interface TextDifference {
  /** Absent where the first text has ended. */
  readonly before?: string;
  /** Absent where the second text has ended. */
  readonly now?: string;
}

/** The first lines in which two texts differ; `undefined` for none. */
export function firstDifference(before: string, now: string): TextDifference | undefined {
  const [then, today] = [before.split(/\r?\n/), now.split(/\r?\n/)];
  const most = Math.max(then.length, today.length);
  for (let at = 0; at < most; at += 1) {
    const [a, b] = [then[at], today[at]];
    if (a === b) continue;
    return { ...(a !== undefined && { before: a }), ...(b !== undefined && { now: b }) };
  }
  return undefined;
}
