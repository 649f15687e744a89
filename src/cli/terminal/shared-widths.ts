/** A column that shares a line with others. */
export interface SharedColumn {
  /** Columns of the terminal that its widest cell takes. */
  readonly natural: number;
  /** How much of the room it gets against the others; 0 for one that is never cut. */
  readonly weight: number;
}

/** Shares room among columns: those that need less than their part get what they need, the others the rest. */
export function shareWidths(columns: readonly SharedColumn[], room: number): number[] {
  const widths = columns.map(({ natural, weight }) => (weight === 0 ? natural : 0));
  let left = room - widths.reduce((sum, width) => sum + width, 0);
  let open = columns.flatMap(({ weight }, at) => (weight > 0 ? [at] : []));
  for (;;) {
    const weights = open.reduce((sum, at) => sum + (columns[at]?.weight ?? 0), 0);
    const part = Math.max(0, left) / Math.max(1, weights);
    const modest = open.filter((at) => fits(columns[at], part));
    if (modest.length === 0) {
      for (const at of open)
        widths[at] = Math.max(1, Math.floor(part * (columns[at]?.weight ?? 0)));
      return widths;
    }
    for (const at of modest) {
      widths[at] = columns[at]?.natural ?? 0;
      left -= widths[at] ?? 0;
    }
    open = open.filter((at) => !modest.includes(at));
  }
}

function fits(column: SharedColumn | undefined, part: number): boolean {
  return column !== undefined && column.natural <= part * column.weight;
}
