import { passedShare } from '../../../../src/model/scores/score.js';
import type { Score, ScoreChip as ScoreFigures } from '../../api/schema.js';
import { classNames } from '../class-names.js';
import { figure, percentilesText, typicalValue } from '../figures/figures.js';
import { Icon } from '../icons/icon.js';
import { StatusIcon } from '../icons/status-icon.js';
import { MiddleCut } from '../names/middle-cut.js';
import styles from './score-chip.module.css';
import { gradedValue } from './threshold-text.js';

/** `cutEnd`: the end of the name that stays if the chip may have no room for all of it. */
interface CutProps {
  readonly cutEnd?: number | undefined;
}

/**
 * One score: a tick if it passed, a tinted cross if it failed, a number for a value, with its threshold: `.83 ≥
 * .8`. An icon marks scores set by hand.
 */
export function ScoreChip({ score, cutEnd }: { score: Score } & CutProps) {
  const { key, passed, value, source } = score;
  const figures = value !== undefined && <b>{gradedValue(value, score)}</b>;
  return (
    <span className={classNames(styles.chip, passed === false && styles.failed)}>
      {passed !== undefined && <StatusIcon standing={passed ? 'passed' : 'failed'} size="chip" />}
      {passed === undefined && figures}
      <ChipName name={key} cutEnd={cutEnd} />
      {passed !== undefined && figures}
      {source === 'human' && (
        <>
          <Icon name="hand" className={styles.hand} />
          <span className="sr">set by hand</span>
        </>
      )}
    </span>
  );
}

/**
 * The scores of one key over the trials of a case: `exact 3/5`; with values, also their mean, or p50 for unbounded
 * ones.
 */
export function TrialsChip({ chip, cutEnd }: { chip: ScoreFigures } & CutProps) {
  const standing = trialsStanding(chip);
  const share = mixedShare(chip);
  const value = chip.type === 'avg' && (
    <b title={chip.percentiles === undefined ? 'mean' : percentilesText(chip.percentiles)}>
      {figure(typicalValue(chip))}
    </b>
  );
  if (standing === undefined) {
    return (
      <span className={styles.chip}>
        {value}
        <ChipName name={chip.key} cutEnd={cutEnd} />
      </span>
    );
  }
  const look =
    standing === 'failed' ? styles.failed : standing === 'flaky' ? styles.flaky : undefined;
  return (
    <span className={classNames(styles.chip, look)}>
      <StatusIcon standing={standing} size="chip" />
      <ChipName name={chip.key} cutEnd={cutEnd} />
      {share && <span> {share}</span>}
      {value}
    </span>
  );
}

function ChipName({ name, cutEnd }: { name: string } & CutProps) {
  return cutEnd === undefined ? (
    <span className={styles.key}>{name}</span>
  ) : (
    <MiddleCut text={name} end={cutEnd} />
  );
}

/** The key, with the number that passed if that is neither all nor none. */
export function trialsName(chip: ScoreFigures): string {
  const share = mixedShare(chip);
  return share === undefined ? chip.key : `${chip.key} ${share}`;
}

/** `3/5`; `undefined` if all passed, or none. */
function mixedShare(chip: ScoreFigures): string | undefined {
  const share = passedShare(chip);
  const isMixed = share !== undefined && share.passed > 0 && share.passed < share.total;
  return isMixed ? `${share.passed}/${share.total}` : undefined;
}

function trialsStanding(chip: ScoreFigures): 'passed' | 'failed' | 'flaky' | undefined {
  const share = passedShare(chip);
  if (share === undefined) return undefined;
  return share.passed === share.total ? 'passed' : share.passed === 0 ? 'failed' : 'flaky';
}

/** The order of chips: failing first, then flaky, passing, values. */
export function scoreRank({ passed }: Pick<Score, 'passed'>): number {
  return passed === false ? 0 : passed === true ? 2 : 3;
}

/** The order of chips for trials. */
export function trialsRank(chip: ScoreFigures): number {
  const standing = trialsStanding(chip);
  return standing === undefined ? 3 : { failed: 0, flaky: 1, passed: 2 }[standing];
}
