import { percentText } from '../../../src/model/share-text.js';
import { counted, figure, seconds, withoutZero } from './figures.js';
import { pText, signed } from './signed.js';

/** What a measure is in: shares, values, values in one run and verdicts in the other, seconds. */
export type MeasureType = 'ratio' | 'avg' | 'mixed' | 'seconds';

/** A measure in two runs, over the evaluations that have it in both. */
export interface PairedDifference {
  readonly pairs: number;
  /** `null` without pairs, like what follows. */
  readonly base: number | null;
  readonly other: number | null;
  readonly difference: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
}

/** The same, held against chance. */
export interface TestedDifference extends PairedDifference {
  readonly p_value: number | null;
  readonly beyond_chance: boolean;
  /** Absent: higher. */
  readonly better?: 'higher' | 'lower';
}

/** Whether a difference beyond chance is an improvement; nothing for any other difference. */
export function verdictOf(tested: TestedDifference): 'better' | 'worse' | undefined {
  const estimate = tested.difference?.estimate ?? 0;
  if (!tested.beyond_chance || estimate === 0) return undefined;
  return estimate > 0 === (tested.better !== 'lower') ? 'better' : 'worse';
}

/** A difference, with an arrow when it is beyond chance: `▼ −21.2`, `+4.8`; nothing without pairs. */
export function changeText(tested: TestedDifference, type: MeasureType): string {
  if (tested.difference === null) return '';
  const { estimate } = tested.difference;
  const arrow = verdictOf(tested) === undefined ? '' : estimate < 0 ? '▼ ' : '▲ ';
  return arrow + signed(estimate, type);
}

/** The value of a measure without its unit: `78.2`, `.83`, `1.84`. */
export function valueText(value: number | null | undefined, type: MeasureType): string {
  if (value === null || value === undefined) return '–';
  if (type === 'seconds') return withoutZero(seconds(value));
  return type === 'ratio' ? percentText(value) : figure(value);
}

/** The two values that a difference is of: `78.2 → 57.0`. */
export function bothText({ base, other }: PairedDifference, type: MeasureType): string {
  return `${valueText(base, type)} → ${valueText(other, type)}`;
}

/** `−1.0 to +7.4`, or why there is none; nothing without pairs. */
export function intervalText({ difference }: PairedDifference, type: MeasureType): string {
  if (difference === null) return '';
  const { low, high } = difference;
  if (low === null || high === null) return 'n too small';
  return `${signed(low, type)} to ${signed(high, type)}`;
}

/** Whether chance alone may do it, in words. */
export function chanceText(isBeyond: boolean): string {
  return isBeyond ? 'beyond chance' : 'may be chance';
}

/** A difference with all that is known of it, for a hint: `75.0 → 84.8, +9.8 points, 95 % interval +3.1 to +16.2, over 160 pairs, p = .004: beyond chance`. */
export function wholeText(
  said: PairedDifference & Partial<Pick<TestedDifference, 'p_value' | 'beyond_chance'>>,
  type: MeasureType,
): string {
  const { difference, pairs, p_value = null, beyond_chance = false } = said;
  if (difference === null) return noPairsText(type);
  const unit = type === 'ratio' ? ' points' : type === 'seconds' ? ' s' : '';
  return [
    bothText(said, type),
    `${signed(difference.estimate, type)}${unit}`,
    `95 % interval ${intervalText(said, type)}`,
    `over ${counted(pairs, 'pair')}`,
    ...(type === 'seconds'
      ? ['no verdict']
      : p_value === null
        ? []
        : [`${pText(p_value)}: ${chanceText(beyond_chance)}`]),
  ].join(', ');
}

/** Why there is no difference. */
export function noPairsText(type: MeasureType): string {
  return type === 'mixed'
    ? 'a verdict in one run, a value in the other'
    : 'no evaluation has it in both runs';
}
