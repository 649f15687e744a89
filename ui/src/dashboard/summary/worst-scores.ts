import { passedShare } from '../../../../src/model/scores/score.js';
import { worstFirst } from '../../../../src/model/scores/worst-first.js';
import type { IntervalChip } from '../../api/schema.js';
import { rateText } from '../../components/figures/figures.js';

/** With more scores, the summary shows the worst ones. */
export const fewScores = 8;

/** The worst scores, those that moved beyond chance among them, and the others; both the worst first. */
export function worstScores(
  chips: readonly IntervalChip[],
  moved: ReadonlySet<string>,
): { readonly worst: readonly IntervalChip[]; readonly others: readonly IntervalChip[] } {
  if (chips.length <= fewScores) return { worst: chips, others: [] };
  const sorted = worstFirst(chips);
  const first = sorted.toSorted((a, b) => Number(moved.has(b.key)) - Number(moved.has(a.key)));
  const chosen = new Set(first.slice(0, fewScores));
  return {
    worst: sorted.filter((chip) => chosen.has(chip)),
    others: sorted.filter((chip) => !chosen.has(chip)),
  };
}

/** The range of the shares of the other scores: `81.1 % to 98.3 %`; empty without shares. */
export function rangeText(chips: readonly IntervalChip[]): string {
  const shares = chips.flatMap((chip) => {
    const share = passedShare(chip);
    return share === undefined ? [] : share.passed / Math.max(1, share.total);
  });
  if (shares.length === 0) return '';
  const [least, most] = [rateText(Math.min(...shares)), rateText(Math.max(...shares))];
  return least === most ? least : `${least} to ${most}`;
}
