import { mergeScoreRules, type ScoreRules } from '../model/score-rule.js';
import type { Descriptor } from '../protocol/messages.js';

/** How values of the scores of an evaluation, named by its id, are judged; `undefined` without rules. */
export type ScoreRulesOf = (id: string) => ScoreRules | undefined;

/** The rules of discovered evaluations: their own over those that all share. */
export function scoreRulesOf(
  descriptors: readonly Descriptor[],
  shared: ScoreRules | undefined,
): ScoreRulesOf {
  const own = new Map<string, ScoreRules>();
  // The cases of an evaluation have one and the same object.
  const merged = new Map<ScoreRules, ScoreRules>();
  for (const { id, scoreRules } of descriptors) {
    if (scoreRules === undefined) continue;
    const all = merged.get(scoreRules) ?? mergeScoreRules(shared, scoreRules) ?? scoreRules;
    merged.set(scoreRules, all);
    own.set(id, all);
  }
  return (id) => own.get(id) ?? shared;
}
