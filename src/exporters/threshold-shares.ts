import type { IntervalChip } from '../model/scores/score.js';
import { passedShare } from '../model/scores/score.js';
import { limitText } from '../model/scores/score-rule.js';
import { noBounds } from '../statistics/bounds.js';
import { renderNumber } from '../text/number-text.js';

/**
 * Adds a chip after each average whose values have a threshold: the share that passed. `nameOf` names it from the
 * key and `≥ 0.8`, or `passed` if the scores have different thresholds.
 */
export function withThresholdShares(
  chips: readonly IntervalChip[],
  nameOf: (key: string, what: string) => string,
): IntervalChip[] {
  return chips.flatMap((chip): IntervalChip[] => {
    if (chip.type === 'ratio') return [chip];
    const share = passedShare(chip);
    if (share === undefined) return [chip];
    const { key, threshold, better, passed_interval = noBounds } = chip;
    const what =
      threshold === undefined ? 'passed' : limitText({ threshold, better }, renderNumber);
    return [chip, { key: nameOf(key, what), type: 'ratio', ...share, interval: passed_interval }];
  });
}
