/** Characters that fit on a line. */
const lineLength = 88;

/** Lines of a text as they are shown. */
export function linesOf(text: string): number {
  let lines = 0;
  for (const line of text.split('\n')) lines += Math.max(1, Math.ceil(line.length / lineLength));
  return lines;
}

/** Longer messages are cut to so many lines. */
export const mostLines = 12;

/** So many more are shown rather than cut. */
const few = 2;

/** The first lines of a long text; `undefined` for a text that is shown whole. */
export function firstLines(text: string): string | undefined {
  if (
    text.length < mostLines * lineLength &&
    text.split('\n', mostLines + few + 1).length <= mostLines + few
  ) {
    return undefined;
  }
  if (linesOf(text) <= mostLines + few) return undefined;
  let lines = 0;
  let end = 0;
  for (const line of text.split('\n')) {
    const its = Math.max(1, Math.ceil(line.length / lineLength));
    if (lines + its > mostLines) {
      const part = (mostLines - lines) * lineLength;
      return text.slice(0, end) + wordsBefore(line, part);
    }
    lines += its;
    end += line.length + 1;
  }
  return text;
}

function wordsBefore(line: string, length: number): string {
  const end = line.lastIndexOf(' ', length);
  return line.slice(0, end > length / 2 ? end : length);
}
