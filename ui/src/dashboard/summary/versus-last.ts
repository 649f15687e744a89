import type { RowSummary } from '../../api/schema.js';
import {
  changeText,
  noPairsText,
  type TestedDifference,
  verdictOf,
  wholeText,
} from '../../components/differences.js';
import { count } from '../../components/figures.js';

type Previous = RowSummary['previous'];

/** A score against the run before: the difference over what both runs have, or why there is none. */
export interface VersusLast {
  /** `▼ −2.4`, or a word or two that say why there is none. */
  readonly text: string;
  /** How many evaluations it is over. */
  readonly pairs: string;
  /** All that is known of it. */
  readonly hint: string;
  /** Set only beyond chance. */
  readonly verdict: 'better' | 'worse' | undefined;
}

/** Why nothing is compared with the run before; nothing when it is. */
export function whyNotCompared(previous: Previous): string | undefined {
  if (previous === null) return 'this is the first run of its session';
  if (previous.comparison !== null) return undefined;
  return previous.is_current
    ? `${previous.run_name} cannot be read`
    : `${previous.run_name} is being compared`;
}

/** A score against the run before; nothing where nothing is compared. */
export function versusLast(previous: Previous, key: string): VersusLast | undefined {
  const comparison = previous?.comparison;
  if (previous === null || !comparison) return undefined;
  const score = comparison.scores.find((one) => one.key === key);
  const none = (text: string, hint: string) => ({ text, pairs: '', hint, verdict: undefined });
  if (score === undefined) return none('new', `${previous.run_name} does not have ${key}`);
  if (score.type === 'mixed') return none('not alike', noPairsText('mixed'));
  if (score.difference === null) return none('no pairs', noPairsText(score.type));
  const tested: TestedDifference = score;
  return {
    text: changeText(tested, score.type),
    pairs: count(score.pairs),
    hint: `Against ${previous.run_name}: ${wholeText(score, score.type)}`,
    verdict: verdictOf(tested),
  };
}
