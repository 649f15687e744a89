import type { RowSummary } from '../../api/schema.js';
import {
  changeText,
  noPairsText,
  type TestedDifference,
  verdictOf,
  wholeText,
} from '../../components/figures/difference-text.js';
import { count } from '../../components/figures/figures.js';

type Previous = RowSummary['previous'];

/** The difference of a score from the run before, over the cases of both, or why there is none. */
export interface VersusLast {
  /** `▼ −2.4`, or a short reason why there is none. */
  readonly text: string;
  /** The number of cases. */
  readonly pairs: string;
  /** All figures of the difference. */
  readonly hint: string;
  /** Set only beyond chance. */
  readonly verdict: 'better' | 'worse' | undefined;
}

/** The reason why nothing is compared with the run before; `undefined` if it is. `whyNone`: why there is none. */
export function whyNotCompared(
  previous: Previous,
  whyNone: string | undefined,
): string | undefined {
  if (previous === null) return whyNone ?? 'no earlier run';
  if (previous.comparison !== null) return undefined;
  return previous.is_current
    ? `${previous.run_name} cannot be read`
    : `${previous.run_name} is being compared`;
}

/** A score compared with the run before; `undefined` if nothing is compared. */
export function versusLast(previous: Previous, key: string): VersusLast | undefined {
  const comparison = previous?.comparison;
  if (previous === null || !comparison) return undefined;
  const score = comparison.scores.find((one) => one.key === key);
  const none = (text: string, hint: string) => ({ text, pairs: '', hint, verdict: undefined });
  if (score === undefined) return none('new', `${previous.run_name} does not have ${key}`);
  if (score.type === 'mixed') return none('not alike', noPairsText('mixed'));
  if (score.difference === null && comparison.carried > 0)
    return none('carried', `its results were carried over, so they are the same as before`);
  if (score.difference === null) return none('no pairs', noPairsText(score.type));
  const tested: TestedDifference = score;
  const carried = comparison.carried === 0 ? '' : `, without ${count(comparison.carried)} carried`;
  return {
    text: changeText(tested, score.type),
    pairs: count(score.pairs),
    hint: `Against ${previous.run_name}: ${wholeText(score, score.type)}${carried}`,
    verdict: verdictOf(tested),
  };
}
