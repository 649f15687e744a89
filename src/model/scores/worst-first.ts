import { passedShare, type ScoreChip } from './score.js';

/** Chips by their share or mean, the worst first. Means beyond 0 to 1 cannot be ranked: they come last. */
export function worstFirst<Chip extends ScoreChip>(chips: readonly Chip[]): Chip[] {
  return chips.toSorted((a, b) => levelOf(a) - levelOf(b));
}

const beyondScale = 2;

/** From 0, the worst, to 1. */
function levelOf(chip: ScoreChip): number {
  const share = passedShare(chip);
  if (share !== undefined) return share.passed / Math.max(1, share.total);
  if (chip.type === 'ratio' || !(chip.avg >= 0 && chip.avg <= 1)) return beyondScale;
  return chip.better === 'lower' ? 1 - chip.avg : chip.avg;
}
