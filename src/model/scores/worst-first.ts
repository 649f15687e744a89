import { passedShare, placeOn, type ScoreChip } from './score.js';

/** Chips by their share or mean, the worst first. Means beyond 0 to 1, without a scale, cannot be ranked: they come last. */
export function worstFirst<Chip extends ScoreChip>(chips: readonly Chip[]): Chip[] {
  return chips.toSorted((a, b) => levelOf(a) - levelOf(b));
}

const beyondScale = 2;

/** From 0, the worst, to 1. */
function levelOf(chip: ScoreChip): number {
  const share = passedShare(chip);
  if (share !== undefined) return share.passed / Math.max(1, share.total);
  if (chip.type === 'ratio') return beyondScale;
  const place = placeOn(chip.avg, chip.scale);
  if (place === undefined) return beyondScale;
  return chip.better === 'lower' ? 1 - place : place;
}
