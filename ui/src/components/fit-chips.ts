/** Pixels of a letter in a chip (bold ones are as wide), and of all else: padding, icon, gap. */
const letter = 6.25;
const frame = 8;
const icon = 13;
const gap = 4;
const restWidth = 18;

/** What makes a chip wide. */
export interface ChipShape {
  readonly text: string;
  /** Icons and figures beside the text. */
  readonly icons: number;
}

/** A chip that is cut shorter than this, in pixels, says nothing. */
const minCut = 40;

/** How many of the chips, from the first, fit into a width; when not all do, there is room for `+n`. The first one is cut rather than left out. */
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
