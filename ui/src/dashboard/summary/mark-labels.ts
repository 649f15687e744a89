/** Widest that a label gets, as a share of the axis. */
export const labelWidth = 0.25;

/** Where a label stands: on which side of its line, and in which row from the top. */
export interface MarkLabel {
  readonly isLeft: boolean;
  readonly row: 0 | 1;
}

/**
 * Places the labels of two lines at `p50` ≤ `p95` (shares of the axis) so that neither covers the other, nor the other's
 * line: a line begins at the row of its label. Both stay on the drawing.
 */
export function placeLabels(p50: number, p95: number): { p50: MarkLabel; p95: MarkLabel } {
  const isFirstLeft = p50 >= labelWidth;
  const isLastLeft = p95 > 1 - labelWidth;
  const needed = (isFirstLeft ? 0 : labelWidth) + (isLastLeft ? labelWidth : 0);
  if (p95 - p50 >= needed) {
    return { p50: { isLeft: isFirstLeft, row: 0 }, p95: { isLeft: isLastLeft, row: 0 } };
  }
  // The line of the upper label crosses the lower row: there the label has to be on the other side of it.
  return isFirstLeft
    ? { p50: { isLeft: true, row: 1 }, p95: { isLeft: isLastLeft, row: 0 } }
    : { p50: { isLeft: false, row: 0 }, p95: { isLeft: false, row: 1 } };
}
