import { isScoreKey } from '../model/score.js';
import { isScoreRules, type ScoreRules } from '../model/score-rule.js';
import type { SettingsDocument } from './settings-schema.js';

/** True for a score key that a settings file can have a rule for. */
export function isRuleKey(key: string): boolean {
  // The schema library leaves it out.
  return key !== '__proto__' && isScoreKey(key);
}

/** True for the `scores` of a settings file that are certainly what the schema accepts. */
export function isPlainScoreRules(value: unknown): boolean {
  return isScoreRules(value) && Object.keys(value).every(isRuleKey);
}

/** The rules in a checked settings file; `undefined` when there are none. */
export function readScoreRules({ scores }: SettingsDocument): ScoreRules | undefined {
  const rules = Object.entries(scores ?? {}).map(([key, rule]) => {
    const { threshold, better } = rule ?? {};
    // An empty value in YAML is null.
    const known = {
      ...(typeof threshold === 'number' && { threshold }),
      ...(better && { better }),
    };
    return [key, known] as const;
  });
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}
