import type { Score, ScoreChip as ScoreFigures, TableRow } from '../../api/schema.js';
import { figure, typicalValue } from '../figures/figures.js';
import { tellingEnds } from '../names/telling-end.js';
import { type ChipShape, fitChips } from './fit-chips.js';
import { ScoreChip, scoreRank, TrialsChip, trialsName, trialsRank } from './score-chip.js';
import styles from './score-chip.module.css';
import { gradedValue } from './threshold-text.js';

/** The scores of a row as chips on one line: failing first, then flaky, passing, values; the others become `+n`. */
export function ScoreChips({
  row: { scores, fold },
  width,
}: {
  row: Pick<TableRow, 'scores' | 'fold'>;
  /** Available width in pixels. */
  width: number;
}) {
  const chips = fold
    ? fold.chips
        .toSorted((a, b) => trialsRank(a) - trialsRank(b))
        .map((chip) => ({
          name: chip.key,
          shape: trialsShape(chip),
          draw: (cutEnd?: number) => <TrialsChip key={chip.key} chip={chip} cutEnd={cutEnd} />,
        }))
    : scores
        .toSorted((a, b) => scoreRank(a) - scoreRank(b))
        .map((score, n) => ({
          name: score.key,
          shape: scoreShape(score),
          draw: (cutEnd?: number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a key may come twice.
            <ScoreChip key={`${score.key} ${n}`} score={score} cutEnd={cutEnd} />
          ),
        }));
  const fitting = fitChips(
    chips.map(({ shape }) => shape),
    width,
  );
  const hidden = chips.slice(fitting);
  // Only a chip that stands alone may be cut.
  const ends = fitting === 1 ? tellingEnds(chips.map(({ name }) => name)) : undefined;
  return (
    <>
      {chips.slice(0, fitting).map(({ name, draw }) => draw(ends?.get(name)))}
      {hidden.length > 0 && (
        <span className={styles.rest} title={hidden.map(({ shape }) => shape.text).join(', ')}>
          +{hidden.length}
        </span>
      )}
    </>
  );
}

function scoreShape(score: Score): ChipShape {
  const { key, passed, value, source } = score;
  const text = value === undefined ? key : `${key} ${gradedValue(value, score)}`;
  const icons = (passed === undefined ? 0 : 1) + (source === 'human' ? 1 : 0);
  return { text, icons };
}

function trialsShape(chip: ScoreFigures): ChipShape {
  const name = trialsName(chip);
  const text = chip.type === 'avg' ? `${name} ${figure(typicalValue(chip))}` : name;
  return { text, icons: chip.passed === undefined ? 0 : 1 };
}
