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

/** Lines in which columns are looked for. */
const mostWithColumns = 300;

/** Lines of boxes and trees: `│`, `+---+`. */
const drawn = /[\u2500-\u259f]|^\s*\+[-=+]{3,}/;
/** Ends of the lines of code. */
const codeEnd = /[{};]\s*$/;

/**
 * True for a text whose characters belong below each other: gaps at the same place of two lines that follow each other,
 * tabs within them, boxes, code. Prose has none of these.
 */
export function hasColumns(text: string): boolean {
  const lines = text.split('\n', mostWithColumns);
  if (lines.length < 2) return false;
  if (lines.some((line) => drawn.test(line))) return true;
  const isIndented = lines.some((line) => /^(?: {2}|\t)/.test(line));
  if (isIndented && lines.filter((line) => codeEnd.test(line)).length > 2) return true;
  return lines.some((line, n) => {
    const next = lines[n + 1] ?? '';
    if (/\S\t/.test(line) && /\S\t/.test(next)) return true;
    const places = new Set(gapsIn(next));
    return gapsIn(line).some((place) => places.has(place));
  });
}

/** Where gaps within a line begin and end: runs of more spaces than follow a sentence. */
function gapsIn(line: string): readonly string[] {
  return [...line.matchAll(/(?<=\S) {3,}(?=\S)/g)].flatMap(({ 0: gap, index }) => [
    `from ${index}`,
    `to ${index + gap.length}`,
  ]);
}
