import { isSameJson, type Json, type JsonObject } from '../../model/json.js';
import { type EvalCase, passShare } from '../cases/eval-case.js';
import {
  differencesOf,
  type MeanDifference,
  meanDifference,
} from '../differences/paired-difference.js';

/** The cases that have a verdict in every variant with any. */
export interface CommonCases {
  /** For each variant these cases, in the same order for all; none for a variant without verdicts. */
  readonly of: readonly (readonly EvalCase[])[];
  readonly count: number;
  /** The unit of each case, if some are of one cluster. */
  readonly units: readonly number[] | undefined;
  /** The fewest trials with a verdict that one of these cases has. */
  readonly fewestTrials: number;
}

/**
 * The difference that one value of a param makes against another, in shares from 0 to 1; plain JSON. The pass rate of a case
 * with a value is its mean over all variants with that value, so over all combinations of the other params.
 */
export interface FactorEffect extends MeanDifference {
  readonly param: string;
  /** The value in the base. */
  readonly from: Json;
  readonly to: Json;
}

/** A param that varies. */
interface Factor {
  readonly param: string;
  /** Its values, in order of first appearance: the one of the base first. */
  readonly levels: readonly Json[];
  /** For each variant the position of its value. */
  readonly levelOf: readonly number[];
}

/**
 * What each value of each param does; empty unless the variants are all combinations of the values of two params or more, each
 * once. The param with the largest effect comes first.
 */
export function factorEffects(
  params: readonly (JsonObject | undefined)[],
  common: CommonCases,
): FactorEffect[] {
  const factors = gridFactors(params);
  if (common.of.some(({ length }) => length === 0)) return [];
  const effects = factors.map((factor) =>
    factor.levels.slice(1).map((to, at): FactorEffect => {
      const { param, levels } = factor;
      return { param, from: levels[0] ?? null, to, ...levelDifference(factor, at + 1, common) };
    }),
  );
  // Sums of shares differ by rounding.
  const sizeOf = ({ difference }: FactorEffect) =>
    Number(Math.abs(difference?.estimate ?? 0).toFixed(9));
  const largest = (of: readonly FactorEffect[]) => Math.max(...of.map(sizeOf));
  return effects.sort((one, two) => largest(two) - largest(one)).flat();
}

/** The params of a full grid; empty for what is none. */
function gridFactors(params: readonly (JsonObject | undefined)[]): Factor[] {
  const known = params.filter((one) => one !== undefined);
  const names = [...new Set(known.flatMap((one) => Object.keys(one)))];
  const isInAll = names.every((name) => known.every((one) => one[name] !== undefined));
  if (known.length < params.length || !isInAll) return [];
  const factors = names
    .map((name) => factorOf(name, known))
    .filter(({ levels }) => levels.length > 1);
  const combinations = factors.reduce((product, { levels }) => product * levels.length, 1);
  const places = known.map((_, at) => factors.map(({ levelOf }) => levelOf[at]).join());
  const isFull = combinations === known.length && new Set(places).size === known.length;
  return isFull && factors.length > 1 ? factors : [];
}

function factorOf(param: string, variants: readonly JsonObject[]): Factor {
  const levels: Json[] = [];
  const levelOf = variants.map((of) => {
    const value = of[param] ?? null;
    const known = levels.findIndex((level) => isSameJson(level, value));
    return known >= 0 ? known : levels.push(value) - 1;
  });
  return { param, levels, levelOf };
}

/** Compares a value of a param with that of the base: the paired difference of the means over the variants that have it. */
function levelDifference(
  { levelOf }: Factor,
  level: number,
  { of, count, units, fewestTrials }: CommonCases,
): MeanDifference {
  const variantsAt = (wanted: number) => of.filter((_, at) => levelOf[at] === wanted);
  const [without, having] = [variantsAt(0), variantsAt(level)];
  const column = {
    base: meanShares(without, count),
    other: meanShares(having, count),
    units,
    // One trial moves the mean over several variants by less.
    step: 1 / (fewestTrials * having.length),
    scale: undefined,
    within: 0,
  };
  return meanDifference(column, differencesOf(column));
}

function meanShares(variants: readonly (readonly EvalCase[])[], count: number): Float64Array {
  const means = new Float64Array(count);
  for (const cases of variants) {
    for (const [at, evalCase] of cases.entries()) {
      means[at] = (means[at] ?? 0) + (passShare(evalCase) ?? 0) / variants.length;
    }
  }
  return means;
}
