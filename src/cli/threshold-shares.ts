import { renderNumber } from '../exporters/figures.js';
import { passedShare, type ScoreChip } from '../model/score.js';
import { limitText } from '../model/score-rule.js';

/** Chips with a row more for each average whose values have a threshold: the share that passed. */
export function withThresholdShares(chips: readonly ScoreChip[]): ScoreChip[] {
  return chips.flatMap((chip): ScoreChip[] => {
    const share = chip.type === 'avg' ? passedShare(chip) : undefined;
    return share === undefined ? [chip] : [chip, { key: shareName(chip), type: 'ratio', ...share }];
  });
}

/** `near ≥ 0.8`, or `near passed` when the scores have different thresholds. */
function shareName(chip: ScoreChip): string {
  const { threshold, better } = chip.type === 'avg' ? chip : {};
  const what = threshold === undefined ? 'passed' : limitText({ threshold, better }, renderNumber);
  return `${chip.key} ${what}`;
}
