import { setImmediate } from 'node:timers/promises';
import type {
  Comparison,
  MeasureDifference,
  ScoreDifference,
} from '../../model/compare/compare-units.js';
import { latencyDifference } from '../../model/compare/latency-difference.js';
import {
  isSameColumn,
  type MeasureColumn,
  measureColumn,
  scoreMean,
} from '../../model/compare/measure-columns.js';
import {
  countChanges,
  type FullPair,
  isFullPair,
  pairUnits,
} from '../../model/compare/pair-units.js';
import { pairedDifference } from '../../model/compare/paired-difference.js';
import { scoreKinds } from '../../model/compare/score-kinds.js';
import { passShare, type Unit } from '../../model/compare/unit.js';

/**
 * What `compareUnits` answers, the same to the last digit, with a turn for everything else after each measure: for long
 * runs that one takes half a second at a stretch, in which a server would answer nobody.
 */
export async function compareInTurns(
  base: readonly Unit[],
  other: readonly Unit[],
): Promise<Comparison> {
  const pairs = pairUnits(base, other);
  await setImmediate();
  const changes = countChanges(pairs);
  const full = pairs.filter(isFullPair);
  await setImmediate();
  const passes = measureColumn(full, passShare);
  const passRate = toDifference(passes);
  await setImmediate();
  const scores: ScoreDifference[] = [];
  for (const [key, kind] of keysOfBoth(base, other)) {
    scores.push(compareScore(key, kind, full, passes));
    await setImmediate();
  }
  const latency = latencyDifference(full, {});
  await setImmediate();
  return { summary: { changes, pass_rate: passRate, scores, latency }, pairs };
}

type Kind = 'ratio' | 'value' | 'mixed';

/** The keys of both runs, those of the base first. */
function keysOfBoth(base: readonly Unit[], other: readonly Unit[]): Map<string, Kind> {
  const kinds = new Map<string, Kind>(scoreKinds(base));
  for (const [key, kind] of scoreKinds(other)) {
    kinds.set(key, (kinds.get(key) ?? kind) === kind ? kind : 'mixed');
  }
  return kinds;
}

function compareScore(
  key: string,
  kind: Kind,
  full: readonly FullPair[],
  passes: MeasureColumn,
): ScoreDifference {
  const column =
    kind === 'mixed'
      ? measureColumn([], () => null)
      : measureColumn(full, ({ scores }) => scoreMean(scores.get(key), kind));
  return {
    key,
    type: kind === 'value' ? 'avg' : kind,
    same_as_pass_rate: column.at.length > 0 && isSameColumn(column, passes),
    ...toDifference(column),
  };
}

function toDifference({ base, other, onlyBase, onlyOther }: MeasureColumn): MeasureDifference {
  return { ...pairedDifference(base, other), only_base: onlyBase, only_other: onlyOther };
}
