/** An open row: its trials, and the details below some of its rows. */
export interface Opening {
  /** The position among the matching rows. */
  readonly position: number;
  /** The id of the case (folded trials) or of the result. */
  readonly id: string;
  /** Indices of the trials listed below it; empty for a row without folded trials. */
  readonly trials: readonly number[];
  /** Indices of the results whose details are shown. */
  readonly details: readonly number[];
}

/** One line of the table: a row that matches, a trial of it, or the details of either. */
export interface Line {
  readonly kind: 'row' | 'trial' | 'detail';
  /** The position of its row. */
  readonly position: number;
  /** The index of the result, for trials and details. */
  readonly index?: number;
  /** True for the last trial. */
  readonly isLast?: boolean;
}

interface Block {
  /** The number of its first line in the table. */
  readonly start: number;
  readonly lines: readonly Line[];
}

/** Maps lines of the table to rows, trials and details. */
export class TableLayout {
  readonly #blocks: readonly Block[];
  /** The number of lines. */
  readonly count: number;

  constructor(rows: number, openings: readonly Opening[]) {
    const blocks: Block[] = [];
    let added = 0;
    for (const opening of openings.toSorted((a, b) => a.position - b.position)) {
      if (opening.position >= rows) continue;
      const lines = linesOf(opening);
      blocks.push({ start: opening.position + 1 + added, lines });
      added += lines.length;
    }
    this.#blocks = blocks;
    this.count = rows + added;
  }

  /** The content of line `n`. */
  at(n: number): Line {
    let added = 0;
    for (const { start, lines } of this.#blocks) {
      if (n < start) break;
      const line = lines[n - start];
      if (line !== undefined) return line;
      added += lines.length;
    }
    return { kind: 'row', position: n - added };
  }

  /** The line number of a row or of one of its trials; that of the row if the trial is not listed. */
  find(position: number, index?: number): number {
    let added = 0;
    for (const { start, lines } of this.#blocks) {
      const owner = lines[0]?.position ?? 0;
      if (owner > position) break;
      if (owner === position) {
        const n = lines.findIndex((line) => line.kind === 'trial' && line.index === index);
        return n === -1 ? position + added : start + n;
      }
      added += lines.length;
    }
    return position + added;
  }
}

function linesOf({ position, trials, details }: Opening): Line[] {
  const detail = (index: number): Line[] =>
    details.includes(index) ? [{ kind: 'detail', position, index }] : [];
  if (trials.length === 0) return details.flatMap(detail);
  return trials.flatMap((index, n) => [
    { kind: 'trial', position, index, isLast: n === trials.length - 1 },
    ...detail(index),
  ]);
}

/** The key of a line; heights of details are stored under it. */
export function lineKey({ kind, position, index }: Line): string | number {
  if (kind === 'row') return position;
  return kind === 'detail' ? `detail ${index}` : `trial ${position} ${index}`;
}

/** True when two lines are equal. */
export function isSameLine(a: Line, b: Line): boolean {
  return (
    a.kind === b.kind && a.position === b.position && a.index === b.index && a.isLast === b.isLast
  );
}
