import type { Percentiles } from '../../../../src/statistics/percentile.js';
import { amountText } from '../../../../src/text/amount-text.js';
import { hasTooLittleData, testText, tooLittleData } from '../../../../src/text/chance-text.js';
import { noIntervalText } from '../../../../src/text/share-text.js';
import type { JudgeDrift } from '../../api/schema.js';
import { counted, type MeasureType, percentilesText, signed, unitOf } from './figures.js';

/** A measure in two runs, over the cases that have it in both. */
export interface DifferenceOfMeans {
  readonly pairs: number;
  /** `null` without pairs, like the fields below. */
  readonly base: number | null;
  readonly other: number | null;
  readonly difference: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  /** Pairs whose value is higher, and lower, in the other run. */
  readonly higher?: number;
  readonly lower?: number;
  /** Present if the values are unbounded: the difference of means then has no interval. */
  readonly percentiles?: { readonly base: Percentiles; readonly other: Percentiles };
}

/** A paired difference with its test. */
export interface TestedDifference extends DifferenceOfMeans {
  readonly p: number | null;
  /** `null` for a test with too little data. */
  readonly p_adjusted: number | null;
  readonly among: number | null;
  /** By the adjusted p-value. */
  readonly beyond_chance: boolean;
  /** `higher` if absent. */
  readonly better?: 'higher' | 'lower';
  /** False for values beside verdicts of an evaluator: the verdicts are judged. */
  readonly gated?: boolean;
  /** Why it is not tested; absent if it is. */
  readonly not_tested?: string;
  /** Of a score whose judge is another one in the other run, or may be. */
  readonly judge_drift?: JudgeDrift;
}

/** True if a difference beyond chance is an improvement; `undefined` for any other difference. */
export function verdictOf(tested: TestedDifference): 'better' | 'worse' | undefined {
  const estimate = tested.difference?.estimate ?? 0;
  if (!tested.beyond_chance || tested.gated === false || estimate === 0) return undefined;
  return estimate > 0 === (tested.better !== 'lower') ? 'better' : 'worse';
}

/** A difference, with an arrow if it is beyond chance: `▼ −21.2`, `+4.8`; empty without pairs. */
export function changeText(tested: TestedDifference, type: MeasureType): string {
  if (tested.difference === null) return '';
  const isLess = tested.difference.estimate < 0;
  const arrow = verdictOf(tested) === undefined ? '' : isLess ? '▼ ' : '▲ ';
  return arrow + differenceText(tested, type);
}

/** `−21.2`, for unbounded values `mean −21.2`; a dash without pairs. */
export function differenceText(
  { difference, percentiles }: DifferenceOfMeans,
  type: MeasureType,
): string {
  if (difference === null) return '–';
  return `${percentiles === undefined ? '' : 'mean '}${signed(difference.estimate, type)}`;
}

/** The value of a measure: `78.2`, `0.83`, `1.84 s`. */
export function valueText(value: number | null | undefined, type: MeasureType): string {
  if (value === null || value === undefined) return '–';
  return amountText(value, unitOf(type));
}

/** The value of one run over the pairs: `78.2`, for unbounded values `p50 410, p95 900`. */
export function sideText(
  measure: DifferenceOfMeans,
  side: 'base' | 'other',
  type: MeasureType,
): string {
  return percentilesText(measure.percentiles?.[side]) ?? valueText(measure[side], type);
}

/** The values of both runs: `78.2 → 57.0`, for unbounded values `p50 410 → 412`. */
export function bothText(
  { base, other, percentiles }: DifferenceOfMeans,
  type: MeasureType,
): string {
  const [before, after] = [percentiles?.base.p50 ?? null, percentiles?.other.p50 ?? null];
  if (before !== null && after !== null) return `p50 ${arrowText(before, after, type)}`;
  return arrowText(base, other, type);
}

function arrowText(base: number | null, other: number | null, type: MeasureType): string {
  return `${valueText(base, type)} → ${valueText(other, type)}`;
}

/** `−1.0 to +7.4`, or the reason if there is none; empty without pairs. */
export function intervalText(measure: DifferenceOfMeans, type: MeasureType): string {
  if (measure.difference === null) return '';
  const { low, high } = measure.difference;
  if (low === null || high === null) return noIntervalText(measure);
  return `${signed(low, type)} to ${signed(high, type)}`;
}

/** The test of a difference. */
type ChanceTest = Pick<
  TestedDifference,
  'p' | 'p_adjusted' | 'among' | 'beyond_chance' | 'higher' | 'lower' | 'gated' | 'not_tested'
>;

/** Text that says whether chance alone explains a difference; `identical` if no pair has one. */
export function chanceText({
  beyond_chance,
  higher,
  lower,
  gated = true,
  not_tested: why,
  ...test
}: ChanceTest): string {
  if (why !== undefined) return `not tested: ${why}`;
  if (higher === 0 && lower === 0) return 'identical';
  if (!gated) return 'not judged';
  if (hasTooLittleData(test)) return tooLittleData;
  return beyond_chance ? 'beyond chance' : 'may be chance';
}

/**
 * A difference with all its figures, for a tooltip: `75.0 → 84.8, +9.8 points, 95 % interval +3.1 to +16.2, over
 * 160 pairs, p .004: beyond chance`.
 */
export function wholeText(
  measure: DifferenceOfMeans & Partial<ChanceTest>,
  type: MeasureType,
): string {
  const { difference, pairs, p = null, p_adjusted = null, among = null } = measure;
  const test = { ...measure, p, p_adjusted, among };
  if (difference === null) return noPairsText(type);
  const unit = type === 'ratio' ? ' points' : '';
  const [before, after] = [
    measure.percentiles?.base.p95 ?? null,
    measure.percentiles?.other.p95 ?? null,
  ];
  return [
    bothText(measure, type),
    ...(before === null || after === null ? [] : [`p95 ${arrowText(before, after, type)}`]),
    `${differenceText(measure, type)}${unit}`,
    `${difference.low === null ? 'no 95 % interval:' : '95 % interval'} ${intervalText(measure, type)}`,
    `over ${counted(pairs, 'pair')}`,
    ...(untested.has(type)
      ? ['no verdict']
      : p === null
        ? []
        : [`p ${testText(test)}: ${chanceText({ beyond_chance: false, ...test })}`]),
  ].join(', ');
}

/** The note for untested measures: the results of a run share its load and caches. */
const untested: ReadonlySet<MeasureType> = new Set(['seconds', 'dollars', 'tokens', 'calls']);

/** The reason why there is no difference. */
export function noPairsText(type: MeasureType): string {
  return type === 'mixed'
    ? 'a verdict in one run, a value in the other'
    : 'no case has it in both runs';
}
