import { passedShare } from '../../../../src/model/score.js';
import type { ScoreChip } from '../../api/schema.js';
import { count } from '../../components/figures.js';
import { wantedText } from '../../components/threshold-text.js';

/** What a score's figure is out of: `3 / 5`, `avg of 5`, or how many values reach their threshold: `3 / 5 ≥ .8`. */
export function countText(chip: ScoreChip): string {
  const share = passedShare(chip);
  if (share === undefined) return `avg of ${chip.type === 'avg' ? count(chip.count) : 0}`;
  const wanted = chip.type === 'avg' ? wantedText(chip) : undefined;
  return [`${count(share.passed)} / ${count(share.total)}`, wanted].filter(Boolean).join(' ');
}
