import { count, counted } from '../../components/figures.js';
import type { AgainstBase } from '../comparison.js';
import { letterOf } from '../letters.js';
import { points, pText, signed, signedSeconds } from '../signed.js';

/** A difference that is said: bounds only where there are any. */
export interface SaidDifference {
  readonly pairs: number;
  readonly difference: {
    readonly estimate: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  readonly p_value: number | null;
  readonly beyond_chance: boolean;
}

type Type = 'ratio' | 'avg' | 'mixed' | 'seconds';

/** `−1.0 to +7.4`, or nothing. */
export function intervalText({ difference }: SaidDifference, type: Type): string {
  if (!difference || difference.low === null || difference.high === null) return '';
  return `${signed(difference.low, type)} to ${signed(difference.high, type)}`;
}

/** A difference with all that is known of it, for a hint: `+9.8 points, 95 % interval +3.1 to +16.2, over 160 pairs, p = .004: beyond chance`. */
export function wholeText(said: SaidDifference, type: Type): string {
  const { difference, pairs, p_value, beyond_chance } = said;
  if (difference === null)
    return type === 'mixed' ? 'passed or failed in one run, a value in the other' : 'in no pair';
  const unit = type === 'ratio' ? ' points' : type === 'seconds' ? ' s' : '';
  const interval = intervalText(said, type);
  return [
    `${signed(difference.estimate, type)}${unit}`,
    ...(interval === '' ? [] : [`95 % interval ${interval}`]),
    `over ${counted(pairs, 'pair')}`,
    ...(p_value === null ? [] : [`${pText(p_value)}: ${chanceText(beyond_chance)}`]),
  ].join(', ');
}

export function chanceText(isBeyond: boolean): string {
  return isBeyond ? 'beyond chance' : 'may be chance';
}

/** What became of the pass rate: `Passes 3.2 points more often (−1.0 to +7.4, 331 pairs)`. */
export function passRateText({ pass_rate }: AgainstBase): string {
  const { difference, pairs } = pass_rate;
  if (difference === null) return 'Shares no evaluation with a verdict';
  const interval = intervalText(pass_rate, 'ratio');
  const of = [...(interval === '' ? [] : [interval]), counted(pairs, 'pair')].join(', ');
  const text = points(difference.estimate);
  if (text === '0.0') return `Passes as often (${of})`;
  const way = difference.estimate > 0 ? 'more' : 'less';
  return `Passes ${text.slice(1)} points ${way} often (${of})`;
}

/** Scores that differ beyond chance; the pass rate by another name is not said again. */
export function clearScores({ scores }: AgainstBase) {
  return scores.filter(
    ({ beyond_chance, same_as_pass_rate }) => beyond_chance && !same_as_pass_rate,
  );
}

/** What became of the latency beyond chance: `Slower in 214 of 331 pairs, by .58 s at the median`. */
export function latencyText({ latency }: AgainstBase): string | undefined {
  const { pairs, higher, lower, median, difference, beyond_chance } = latency;
  if (!beyond_chance || median === null || difference === null) return undefined;
  const isSlower = difference.estimate > 0;
  const some = `${count(isSlower ? higher : lower)} of ${counted(pairs, 'pair')}`;
  const said = `${isSlower ? 'Slower' : 'Faster'} in ${some}`;
  if (median === 0 || median > 0 !== isSlower) return said;
  return `${said}, by ${signedSeconds(Math.abs(median)).replace('+', '')} s at the median`;
}

/** Why nothing can be compared, when that is so. */
export function noPairsText({ changes }: AgainstBase, position: number): string | undefined {
  const { regressed, fixed, changed, same, not_paired, only_base, only_other } = changes;
  if (regressed + fixed + changed + same > 0) return undefined;
  const letter = letterOf(position);
  if (not_paired > 0) return `Nothing has finished in both A and ${letter} yet.`;
  if (only_base + only_other === 0) return undefined;
  return `No evaluation of ${letter} is in A: their ids have nothing in common.`;
}
