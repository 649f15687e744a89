/** A row that is open: the trials behind it, and the details below some of its rows. */
export interface Opening {
  /** Of the row among the rows that match. */
  readonly position: number;
  /** Of the evaluation (folded trials) or of the result. */
  readonly id: string;
  /** Indices of the results whose rows are listed below it; none for a row that stands for itself. */
  readonly trials: readonly number[];
  /** Indices of the results that are shown with their details. */
  readonly details: readonly number[];
}

/** One line of the table: a row that matches, a trial of it, or the details of either. */
export interface Line {
  readonly kind: 'row' | 'trial' | 'detail';
  /** Of the row it is or belongs to. */
  readonly position: number;
  /** Index of the result, of a trial and of details. */
  readonly index?: number;
  /** Last of the trials. */
  readonly isLast?: boolean;
}

interface Block {
  /** Number of its first line in the table. */
  readonly start: number;
  readonly lines: readonly Line[];
}

/** Which line of the table shows what, when some rows are open. */
export class TableLayout {
  readonly #blocks: readonly Block[];
  /** Of all lines. */
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

  /** What line `n` shows. */
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

  /** The number of the line of a row, or of a trial of it; of the row when that trial is not listed. */
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

/** Names a line; the size of details is kept under it. */
export function lineKey({ kind, position, index }: Line): string | number {
  if (kind === 'row') return position;
  return kind === 'detail' ? `detail ${index}` : `trial ${position} ${index}`;
}

/** Whether two lines are the same. */
export function isSameLine(a: Line, b: Line): boolean {
  return (
    a.kind === b.kind && a.position === b.position && a.index === b.index && a.isLast === b.isLast
  );
}
