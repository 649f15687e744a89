import { mergeScoreRules, type ScoreRules } from '../../model/scores/score-rule.js';
import type { Descriptor } from '../../protocol/messages.js';

/** Returns the score rules of a case by its id; `undefined` without rules. */
export type ScoreRulesOf = (id: string) => ScoreRules | undefined;

/** The score rules of discovered evaluations: their own, merged over the shared ones. */
export function scoreRulesOf(
  descriptors: readonly Descriptor[],
  shared: ScoreRules | undefined,
): ScoreRulesOf {
  const own = new Map<string, ScoreRules>();
  // All cases of an evaluation share one rules object.
  const merged = new Map<ScoreRules, ScoreRules>();
  for (const { id, scoreRules } of descriptors) {
    if (scoreRules === undefined) continue;
    const all = merged.get(scoreRules) ?? mergeScoreRules(shared, scoreRules) ?? scoreRules;
    merged.set(scoreRules, all);
    own.set(id, all);
  }
  return (id) => own.get(id) ?? shared;
}
