import { type IntervalChip, passedShare } from '../model/scores/score.js';
import { limitText } from '../model/scores/score-rule.js';
import { noBounds } from '../statistics/bounds.js';
import { figureText } from '../text/number-text.js';

/**
 * Adds a chip after each one that shows verdicts and values: the share that passed its threshold, or the values beside
 * verdicts that an evaluator gave. `nameOf` names it from the key and `≥ 0.8` (`passed` if the scores have different
 * thresholds), or `(value)`.
 */
export function withSecondFigures(
  chips: readonly IntervalChip[],
  nameOf: (key: string, what: string) => string,
): IntervalChip[] {
  return chips.flatMap((chip): IntervalChip[] => {
    const { key } = chip;
    if (chip.type === 'ratio') {
      const { values, values_interval: interval = noBounds } = chip;
      if (values === undefined) return [chip];
      return [chip, { key: nameOf(key, '(value)'), type: 'avg', ...values, interval }];
    }
    const share = passedShare(chip);
    if (share === undefined) return [chip];
    const { threshold, better, passed_interval = noBounds } = chip;
    const what = threshold === undefined ? 'passed' : limitText({ threshold, better }, figureText);
    return [chip, { key: nameOf(key, what), type: 'ratio', ...share, interval: passed_interval }];
  });
}
