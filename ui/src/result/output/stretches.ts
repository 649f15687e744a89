import type { Range } from '../diff/differences.js';

/** Lines kept beside a difference, and the fewest that are folded. */
const [beside, fewest] = [3, 6];

/** Lines one after the other, folded or not. */
export interface Stretch {
  /** Offset in the text. */
  readonly start: number;
  readonly text: string;
  readonly lines: number;
  readonly isFolded: boolean;
}

/** Cuts a text into what is near a difference, and stretches without any, which are folded. */
export function stretchesOf(text: string, ranges: readonly Range[]): readonly Stretch[] {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const isNear = nearLines(lines, ranges);
  const stretches: Stretch[] = [];
  let offset = 0;
  for (let from = 0; from < lines.length; ) {
    let to = from;
    while (to < lines.length && isNear[to] === isNear[from]) to += 1;
    const part = lines.slice(from, to).join('');
    const isFolded = isNear[from] === false && to - from >= fewest && ranges.length > 0;
    stretches.push({ start: offset, text: part, lines: to - from, isFolded });
    offset += part.length;
    from = to;
  }
  return stretches;
}

function nearLines(lines: readonly string[], ranges: readonly Range[]): readonly boolean[] {
  const isNear = lines.map(() => false);
  let next = 0;
  let start = 0;
  for (const [n, line] of lines.entries()) {
    const end = start + line.length;
    while ((ranges[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if ((ranges[next]?.start ?? Number.POSITIVE_INFINITY) < end) {
      isNear.fill(true, Math.max(0, n - beside), n + beside + 1);
    }
    start = end;
  }
  return isNear;
}
