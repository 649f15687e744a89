import type { ChangeCounts } from './change.js';
import { type LatencyDifference, latencyDifference } from './latency-difference.js';
import { isSameColumn, type MeasureColumn, measureColumn, scoreMean } from './measure-columns.js';
import { countChanges, type FullPair, isFullPair, pairUnits, type UnitPair } from './pair-units.js';
import { type DrawOptions, type PairedDifference, pairedDifference } from './paired-difference.js';
import { scoreKinds } from './score-kinds.js';
import { passShare, type Unit } from './unit.js';

/** The pass rate or a score in two runs: plain JSON. */
export interface MeasureDifference extends PairedDifference {
  /** Units in both runs that have it in one of them only; they are in no other number. */
  readonly only_base: number;
  readonly only_other: number;
}

/** One score key in two runs: plain JSON. */
export interface ScoreDifference extends MeasureDifference {
  readonly key: string;
  /** `mixed`: a ratio in one run and an average in the other; then there are no pairs. */
  readonly type: 'ratio' | 'avg' | 'mixed';
  /** It says of every unit what the pass rate says, so it is no second finding. */
  readonly same_as_pass_rate: boolean;
}

/** What two runs differ in: plain JSON. */
export interface ComparisonSummary {
  readonly changes: ChangeCounts;
  /** Shares from 0 to 1. */
  readonly pass_rate: MeasureDifference;
  /** In order of first appearance, those of the base first. */
  readonly scores: readonly ScoreDifference[];
  /** Seconds. */
  readonly latency: LatencyDifference;
}

/** Two runs compared. */
export interface Comparison {
  readonly summary: ComparisonSummary;
  /** Every unit: in the order of the base, then those that only the other run has. */
  readonly pairs: readonly UnitPair[];
}

/**
 * Compares a run with a base, unit by unit: all differences are other − base over the units in which both have
 * the measure, a unit's value being its mean over finished trials. The order of units does not matter.
 */
export function compareUnits(
  base: readonly Unit[],
  other: readonly Unit[],
  options: DrawOptions = {},
): Comparison {
  const pairs = pairUnits(base, other);
  const full = pairs.filter(isFullPair);
  const passes = measureColumn(full, passShare);
  return {
    summary: {
      changes: countChanges(pairs),
      pass_rate: measureDifference(passes, options),
      scores: compareScores(base, other, full, passes, options),
      latency: latencyDifference(full, options),
    },
    pairs,
  };
}

function measureDifference(column: MeasureColumn, options: DrawOptions): MeasureDifference {
  return {
    ...pairedDifference(column.base, column.other, options),
    only_base: column.onlyBase,
    only_other: column.onlyOther,
  };
}

function compareScores(
  base: readonly Unit[],
  other: readonly Unit[],
  full: readonly FullPair[],
  passes: MeasureColumn,
  options: DrawOptions,
): ScoreDifference[] {
  const baseKinds = scoreKinds(base);
  const otherKinds = scoreKinds(other);
  return [...new Set([...baseKinds.keys(), ...otherKinds.keys()])].map((key) => {
    const kind = baseKinds.get(key) ?? otherKinds.get(key) ?? 'value';
    const isMixed = (otherKinds.get(key) ?? kind) !== kind;
    const column = measureColumn(isMixed ? [] : full, (unit) =>
      scoreMean(unit.scores.get(key), kind),
    );
    return {
      key,
      type: isMixed ? 'mixed' : kind === 'ratio' ? 'ratio' : 'avg',
      same_as_pass_rate: column.at.length > 0 && isSameColumn(column, passes),
      ...measureDifference(column, options),
    };
  });
}
