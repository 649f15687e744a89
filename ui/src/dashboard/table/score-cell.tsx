import type { Score, ScoreChip as ScoreFigures, TableRow } from '../../api/schema.js';
import { figure } from '../../components/figures.js';
import { ScoreChip, scoreRank, TrialsChip, trialsRank } from '../../components/score-chip.js';
import { type ChipShape, fitChips } from './fit-chips.js';
import styles from './table-row.module.css';

/** The scores of a row as chips: failing first, then flaky, passing, values; what does not fit becomes `+n`. */
export function ScoreCell({ row, width }: { row: TableRow; width: number }) {
  const chips = row.fold
    ? row.fold.chips
        .toSorted((a, b) => trialsRank(a) - trialsRank(b))
        .map((chip) => ({
          shape: trialsShape(chip),
          chip: <TrialsChip key={chip.key} chip={chip} />,
        }))
    : row.scores
        .toSorted((a, b) => scoreRank(a) - scoreRank(b))
        .map((score, n) => ({
          shape: scoreShape(score),
          // biome-ignore lint/suspicious/noArrayIndexKey: a key may come twice.
          chip: <ScoreChip key={`${score.key} ${n}`} score={score} />,
        }));
  const fitting = fitChips(
    chips.map(({ shape }) => shape),
    width,
  );
  const rest = chips.length - fitting;
  return (
    <span role="gridcell" data-cell="scores" className={styles.chips}>
      {chips.slice(0, fitting).map(({ chip }) => chip)}
      {rest > 0 && <span className={styles.rest}>+{rest}</span>}
    </span>
  );
}

function scoreShape({ key, passed, value, source }: Score): ChipShape {
  const text = value === undefined ? key : `${key} ${figure(value)}`;
  const icons = (passed === undefined ? 0 : 1) + (source === 'human' ? 1 : 0);
  return { text, icons };
}

function trialsShape(chip: ScoreFigures): ChipShape {
  if (chip.type === 'avg') return { text: `${chip.key} ${figure(chip.avg)}`, icons: 0 };
  const { key, passed, total } = chip;
  const isMixed = passed > 0 && passed < total;
  return {
    text: isMixed ? `${key} ${passed}/${total}` : key,
    icons: 1,
  };
}
