import { limitText, valueText } from '../../../../src/model/scores/score-rule.js';
import type { Score } from '../../api/schema.js';
import { figure } from '../figures/figures.js';

/** A value of a score, with its threshold if it has one: `0.83 ≥ 0.8`. */
export function gradedValue(value: number, score: Pick<Score, 'threshold' | 'better'>): string {
  return valueText(value, score, figure, asWritten);
}

/** The requirement for a value: `≥ 0.8`, or `≤ 500`; `undefined` without a threshold. */
export function wantedText(score: Pick<Score, 'threshold' | 'better'>): string | undefined {
  const { threshold, better } = score;
  return threshold === undefined ? undefined : limitText({ threshold, better }, asWritten);
}

/** The threshold as the user wrote it, not rounded. */
function asWritten(threshold: number): string {
  return Number.isInteger(threshold) ? figure(threshold) : String(threshold);
}
