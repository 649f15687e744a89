import { passedShare } from '../../../../src/model/scores/score.js';
import type { ScoreChip } from '../../api/schema.js';
import { figure, rateText, typicalValue } from '../../components/figures/figures.js';
import { MiddleCut } from '../../components/names/middle-cut.js';
import { tellingEnds } from '../../components/names/telling-end.js';
import styles from './group-line.module.css';

/** The scores of a group on one line, the lowest share first. */
export function GroupScores({
  chips,
  countsOnly,
}: {
  chips: readonly ScoreChip[];
  countsOnly: boolean;
}) {
  const scores = chips
    .map((chip) => ({ chip, share: shareOf(chip) }))
    .sort((a, b) => (a.share ?? 2) - (b.share ?? 2));
  const ends = tellingEnds(chips.map(({ key }) => key));
  return (
    <span className={styles.scores}>
      {scores.map(({ chip, share }) => (
        <span key={chip.key}>
          <MiddleCut text={chip.key} end={ends.get(chip.key)} />{' '}
          <b>{countsOnly ? countText(chip) : scoreText(chip, share)}</b>
        </span>
      ))}
    </span>
  );
}

function shareOf(chip: ScoreChip): number | undefined {
  const share = passedShare(chip);
  return share && share.passed / Math.max(1, share.total);
}

/** `3 / 10`; nothing for values. */
function countText(chip: ScoreChip): string {
  const share = passedShare(chip);
  return share === undefined ? '' : `${share.passed} / ${share.total}`;
}

function scoreText(chip: ScoreChip, share: number | undefined): string {
  return chip.type === 'avg' ? figure(typicalValue(chip)) : rateText(share);
}
