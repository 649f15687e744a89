/** Pixels of a letter in a chip (bold ones have the same width), and of the rest: padding, icon, gap. */
const letter = 6.25;
const frame = 8;
const icon = 13;
const gap = 4;
const restWidth = 18;

/** The parts of a chip that determine its width. */
export interface ChipShape {
  readonly text: string;
  /** Icons and figures next to the text. */
  readonly icons: number;
}

/** A chip that would be narrower than this, in pixels, is dropped. */
const minCut = 40;

/**
 * The number of chips that fit into a width, counted from the first; if not all fit, `+n` fits too. The first one
 * is cut rather than dropped.
 */
export function fitChips(chips: readonly ChipShape[], width: number): number {
  const widths = chips.map(({ text, icons }) => frame + icons * icon + [...text].length * letter);
  const all = widths.reduce((sum, chip) => sum + chip + gap, -gap);
  if (all <= width) return chips.length;
  let used = 0;
  let fitting = 0;
  for (const chip of widths) {
    used += chip + gap;
    if (used + restWidth > width) break;
    fitting += 1;
  }
  return fitting === 0 && width - restWidth >= minCut ? 1 : fitting;
}
