import { passedShare, placeOn } from '../../../../../src/model/scores/score.js';
import type { Score, ScoreChip, TableRow } from '../../../api/schema.js';
import { classNames } from '../../../components/class-names.js';
import { figure, rateText, typicalValue } from '../../../components/figures/figures.js';
import { Icon } from '../../../components/icons/icon.js';
import { StatusIcon } from '../../../components/icons/status-icon.js';
import { Cell } from './cell.js';
import styles from './score-cell.module.css';

/** One score of a row: a tick, a cross, or a value tinted by its distance from the good end. */
export function ScoreColumnCell({ row, scoreKey }: { row: TableRow; scoreKey: string }) {
  if (row.fold) {
    const chip = row.fold.chips.find(({ key }) => key === scoreKey);
    return <ChipCell chip={chip} scoreKey={scoreKey} render={countText} />;
  }
  const score = row.scores.find(({ key }) => key === scoreKey);
  if (score === undefined) return <Empty scoreKey={scoreKey} />;
  const { passed, value, source } = score;
  return (
    <Cell
      id={`score:${scoreKey}`}
      title={score.notes ?? undefined}
      className={classNames(styles.cell, passed === false && styles.failed)}
      style={passed === undefined ? tintOf(value, score) : undefined}
    >
      {passed !== undefined && <StatusIcon standing={passed ? 'passed' : 'failed'} size="chip" />}
      {value !== undefined && figure(value)}
      {source === 'human' && (
        <>
          <Icon name="hand" className={styles.hand} />
          <span className="sr">set by hand</span>
        </>
      )}
    </Cell>
  );
}

/** One score of several results: the share that passed, or the mean. */
export function ChipCell({
  chip,
  scoreKey,
  render,
}: {
  chip: ScoreChip | undefined;
  scoreKey: string;
  render: (share: { readonly passed: number; readonly total: number }) => string;
}) {
  if (chip === undefined) return <Empty scoreKey={scoreKey} />;
  const share = passedShare(chip);
  const failed = share === undefined ? 0 : 1 - share.passed / Math.max(1, share.total);
  return (
    <Cell
      id={`score:${scoreKey}`}
      className={classNames(styles.cell, share && styles.share, failed > 0 && styles.bold)}
      style={
        share === undefined
          ? chip.type === 'avg'
            ? tintOf(typicalValue(chip), chip)
            : undefined
          : ({ '--failed': `${Math.round(failed * 100)}%` } as object)
      }
    >
      {chip.type === 'avg' ? figure(typicalValue(chip)) : share && render(share)}
    </Cell>
  );
}

/** `3/5` */
export const countText = ({ passed, total }: { readonly passed: number; readonly total: number }) =>
  `${passed}/${total}`;

/** `84.2 %` */
export const shareText = ({ passed, total }: { readonly passed: number; readonly total: number }) =>
  rateText(passed / Math.max(1, total));

function Empty({ scoreKey }: { scoreKey: string }) {
  return (
    <Cell id={`score:${scoreKey}`} className={styles.cell}>
      <span className="sr">none</span>
    </Cell>
  );
}

/** The most that a value is tinted, in percent. */
const deepest = 45;

/** Values from 0 to 1, and those on a declared scale, are darker the further they are from the good end. */
function tintOf(
  value: number | undefined,
  { better, scale }: Pick<Score, 'better' | 'scale'>,
): object | undefined {
  const place = value === undefined ? undefined : placeOn(value, scale);
  if (place === undefined) return undefined;
  const away = better === 'lower' ? place : 1 - place;
  return { '--tint': `${Math.round(Math.min(deepest, away * 90))}%` };
}
