import type { Score, ScoreChip as ScoreFigures } from '../api/schema.js';
import { classNames } from './class-names.js';
import { figure } from './figures.js';
import { Icon } from './icon.js';
import styles from './score-chip.module.css';
import { StatusIcon } from './status-icon.js';

/** One score: a tick for what passed, a tinted cross for what failed, a number for a value. A person marks what was set by hand. */
export function ScoreChip({ score }: { score: Score }) {
  const { key, passed, value, source } = score;
  return (
    <span className={classNames(styles.chip, passed === false && styles.failed)}>
      {passed !== undefined && <StatusIcon standing={passed ? 'passed' : 'failed'} size="chip" />}
      {passed === undefined && value !== undefined && <b>{figure(value)}</b>}
      <span className={styles.key}>{key}</span>
      {passed !== undefined && value !== undefined && <b>{figure(value)}</b>}
      {source === 'human' && (
        <>
          <Icon name="hand" className={styles.hand} />
          <span className="sr">set by hand</span>
        </>
      )}
    </span>
  );
}

/** The scores of one key over the trials of an evaluation: `exact 3/5`. */
export function TrialsChip({ chip }: { chip: ScoreFigures }) {
  if (chip.type === 'avg') {
    return (
      <span className={styles.chip}>
        <b>{figure(chip.avg)}</b>
        <span className={styles.key}>{chip.key}</span>
      </span>
    );
  }
  const { key, passed, total } = chip;
  const standing = passed === total ? 'passed' : passed === 0 ? 'failed' : 'flaky';
  const look =
    standing === 'failed' ? styles.failed : standing === 'flaky' ? styles.flaky : undefined;
  return (
    <span className={classNames(styles.chip, look)}>
      <StatusIcon standing={standing} size="chip" />
      <span className={styles.key}>{standing === 'flaky' ? `${key} ${passed}/${total}` : key}</span>
    </span>
  );
}

/** In which order chips stand: failing first, then flaky, passing, values. */
export function scoreRank({ passed }: Pick<Score, 'passed'>): number {
  return passed === false ? 0 : passed === true ? 2 : 3;
}

/** The same for the trials of an evaluation. */
export function trialsRank(chip: ScoreFigures): number {
  if (chip.type === 'avg') return 3;
  return chip.passed === chip.total ? 2 : chip.passed === 0 ? 0 : 1;
}
