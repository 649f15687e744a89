import { finish, type Steps } from '../steps.js';
import { type ChangeCounts, countChanges } from './change.js';
import { type LatencyDifference, latencyDifference } from './latency-difference.js';
import { isSameColumn, type MeasureColumn, measureColumn, scoreMean } from './measure-columns.js';
import { type FullPair, isFullPair, pairUnits, type UnitPair } from './pair-units.js';
import { type DrawOptions, type PairedDifference, pairedDifference } from './paired-difference.js';
import { scoreKinds } from './score-kinds.js';
import { passShare, type Unit, type UnitScore } from './unit.js';

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
  return finish(comparison(base, other, options));
}

/** The same in steps. */
export function* comparison(
  base: readonly Unit[],
  other: readonly Unit[],
  options: DrawOptions = {},
): Steps<Comparison> {
  const pairs = yield* pairUnits(base, other);
  const full = pairs.filter(isFullPair);
  const passes = yield* measureColumn(full, passShare);
  const summary = {
    changes: countChanges(pairs.map(({ change }) => change)),
    pass_rate: yield* measureDifference(passes, options),
    scores: yield* compareScores(yield* kindsOfBoth(base, other), full, passes, options),
    latency: yield* latencyDifference(full, options),
  };
  return { summary, pairs };
}

function* measureDifference(column: MeasureColumn, options: DrawOptions): Steps<MeasureDifference> {
  return {
    ...(yield* pairedDifference(column.base, column.other, options)),
    only_base: column.onlyBase,
    only_other: column.onlyOther,
  };
}

type Kind = UnitScore['kind'] | 'mixed';

/** The score keys of both runs, those of the base first. */
function* kindsOfBoth(base: readonly Unit[], other: readonly Unit[]): Steps<Map<string, Kind>> {
  const kinds = new Map<string, Kind>(yield* scoreKinds(base));
  for (const [key, kind] of yield* scoreKinds(other)) {
    kinds.set(key, (kinds.get(key) ?? kind) === kind ? kind : 'mixed');
  }
  return kinds;
}

function* compareScores(
  kinds: ReadonlyMap<string, Kind>,
  full: readonly FullPair[],
  passes: MeasureColumn,
  options: DrawOptions,
): Steps<ScoreDifference[]> {
  const scores: ScoreDifference[] = [];
  for (const [key, kind] of kinds) {
    const column =
      kind === 'mixed'
        ? yield* measureColumn([], () => null)
        : yield* measureColumn(full, (unit) => scoreMean(unit, key, kind));
    scores.push({
      key,
      type: kind === 'value' ? 'avg' : kind,
      same_as_pass_rate: column.at.length > 0 && isSameColumn(column, passes),
      ...(yield* measureDifference(column, options)),
    });
  }
  return scores;
}
