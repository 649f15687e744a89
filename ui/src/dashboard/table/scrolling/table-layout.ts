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

/** One line of the table: a group, a row that matches, a trial of it, or the details of either. */
export interface Line {
  readonly kind: 'group' | 'row' | 'trial' | 'detail';
  /** The position of its row; of a group, that of its first row. */
  readonly position: number;
  /** The number of the group, for groups. */
  readonly group?: number;
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

/** The number of rows of a group, and whether they are hidden. */
export interface GroupRows {
  readonly rows: number;
  readonly isFolded: boolean;
}

interface Section extends GroupRows {
  /** The position of its first row. */
  readonly first: number;
  /** The number of its line, if no row were open. */
  readonly line: number;
}

/** Maps lines of the table to groups, rows, trials and details. */
export class TableLayout {
  readonly #blocks: readonly Block[];
  readonly #sections: readonly Section[];
  /** The number of lines. */
  readonly count: number;

  constructor(rows: number, openings: readonly Opening[], groups: readonly GroupRows[] = []) {
    const sections: Section[] = [];
    let [first, line] = [0, 0];
    for (const group of groups) {
      sections.push({ ...group, first, line });
      first += group.rows;
      line += 1 + (group.isFolded ? 0 : group.rows);
    }
    this.#sections = sections;
    const blocks: Block[] = [];
    let added = 0;
    for (const opening of openings.toSorted((a, b) => a.position - b.position)) {
      if (opening.position >= rows || this.#sectionOf(opening.position)?.isFolded) continue;
      const lines = linesOf(opening);
      blocks.push({ start: this.#lineOf(opening.position) + 1 + added, lines });
      added += lines.length;
    }
    this.#blocks = blocks;
    this.count = (groups.length === 0 ? rows : line) + added;
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
    return this.#lineAt(n - added);
  }

  /** The line number of a row or of one of its trials; that of the row if the trial is not listed. */
  find(position: number, index?: number): number {
    const line = this.#lineOf(position);
    let added = 0;
    for (const { start, lines } of this.#blocks) {
      const owner = lines[0]?.position ?? 0;
      if (owner > position) break;
      if (owner === position) {
        const n = lines.findIndex((line) => line.kind === 'trial' && line.index === index);
        return n === -1 ? line + added : start + n;
      }
      added += lines.length;
    }
    return line + added;
  }

  /** The line number of a group. */
  findGroup(group: number): number {
    const { first = 0, line = 0 } = this.#sections[group] ?? {};
    return this.#blocks
      .filter(({ lines }) => (lines[0]?.position ?? 0) < first)
      .reduce((sum, { lines }) => sum + lines.length, line);
  }

  /** The number of the group of a row; `undefined` without groups. */
  groupOf(position: number): number | undefined {
    const section = this.#sectionOf(position);
    return section && this.#sections.indexOf(section);
  }

  /** Whether any of the rows from `first` to `end` (exclusive) is not in a folded group. */
  hasRows(first: number, end: number): boolean {
    if (this.#sections.length === 0) return true;
    for (let n = this.groupOf(first) ?? 0; n < this.#sections.length; n += 1) {
      const section = this.#sections[n];
      if (section === undefined || section.first >= end) return false;
      if (!section.isFolded) return true;
    }
    return false;
  }

  /** The line of a row, or of its group if that is folded, if no row were open. */
  #lineOf(position: number): number {
    const section = this.#sectionOf(position);
    if (section === undefined) return position;
    return section.isFolded ? section.line : section.line + 1 + position - section.first;
  }

  #lineAt(n: number): Line {
    const at = lastAt(this.#sections, ({ line }) => line <= n);
    const section = this.#sections[at];
    if (section === undefined) return { kind: 'row', position: n };
    const { first, line } = section;
    return n === line
      ? { kind: 'group', position: first, group: at }
      : { kind: 'row', position: first + n - line - 1 };
  }

  #sectionOf(position: number): Section | undefined {
    return this.#sections[lastAt(this.#sections, ({ first }) => first <= position)];
  }
}

/** The last item for which a condition holds that holds for all before it; −1 without any. */
function lastAt<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(items[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
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
export function lineKey({ kind, position, index, group }: Line): string | number {
  if (kind === 'row') return position;
  if (kind === 'group') return `group ${group}`;
  return kind === 'detail' ? `detail ${index}` : `trial ${position} ${index}`;
}

/** True when two lines are equal. */
export function isSameLine(a: Line, b: Line): boolean {
  return (
    a.kind === b.kind &&
    a.position === b.position &&
    a.index === b.index &&
    a.group === b.group &&
    a.isLast === b.isLast
  );
}
