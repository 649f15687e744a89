import { isObject } from './json-shape.js';
import { isScoreKey, type Score } from './score.js';

/** How the values of one score key are judged. */
export interface ScoreRule {
  /** A value at or above it has passed; with `better: 'lower'`, one at or below it. Default: values give no verdict. */
  readonly threshold?: number | undefined;
  /** Which values are better. Default: `higher`. */
  readonly better?: 'higher' | 'lower' | undefined;
}

/** Rules by score key. */
export type ScoreRules = { readonly [key: string]: ScoreRule };

/** The fields of a rule. */
export const scoreRuleFields = ['threshold', 'better'] as const satisfies (keyof ScoreRule)[];

/**
 * A score as it is stored: its value with the threshold it was held against, and with the verdict that gives. A
 * `passed` that is there already stays. The very same score when it has no value or no rule applies.
 */
export function deriveVerdict(score: Score, rule: ScoreRule | undefined): Score {
  const { value } = score;
  if (value === undefined || rule === undefined) return score;
  const { threshold } = rule;
  const isLower = rule.better === 'lower';
  return {
    ...score,
    ...(threshold !== undefined && {
      passed: score.passed ?? reaches(value, threshold, isLower),
      threshold,
    }),
    ...(isLower && { better: 'lower' }),
  };
}

function reaches(value: number, threshold: number, isLower: boolean): boolean {
  return isLower ? value <= threshold : value >= threshold;
}

/** Scores with the verdicts that rules give them; the very same list without rules. */
export function deriveVerdicts(
  scores: readonly Score[],
  rules: ScoreRules | undefined,
): readonly Score[] {
  if (rules === undefined) return scores;
  return scores.map((score) => deriveVerdict(score, ruleOf(rules, score.key)));
}

/** Two sets of rules as one: where both say something of a key, each field of the nearer one wins. */
export function mergeScoreRules(
  further: ScoreRules | undefined,
  nearer: ScoreRules | undefined,
): ScoreRules | undefined {
  if (further === undefined || nearer === undefined) return nearer ?? further;
  const merged = Object.entries(nearer).map(
    ([key, rule]) => [key, { ...ruleOf(further, key), ...rule }] as const,
  );
  return { ...further, ...Object.fromEntries(merged) };
}

/** The rules that stored scores were judged by; `undefined` when there were none. */
export function rulesOfScores(scores: readonly Score[]): ScoreRules | undefined {
  const rules = scores.flatMap(({ key, threshold, better }): [string, ScoreRule][] =>
    threshold === undefined && better === undefined
      ? []
      : [[key, { ...(threshold !== undefined && { threshold }), ...(better && { better }) }]],
  );
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

/** The rule of a key, which may be the name of an inherited property. */
export function ruleOf(rules: ScoreRules | undefined, key: string): ScoreRule | undefined {
  return rules !== undefined && Object.hasOwn(rules, key) ? rules[key] : undefined;
}

type Render = (value: number) => string;

interface Limit {
  readonly threshold: number;
  readonly better?: 'lower' | undefined;
}

/** What a value has to be: `≥ 0.8`, or `≤ 500` where lower is better. */
export function limitText({ threshold, better }: Limit, render: Render): string {
  return `${better === 'lower' ? '≤' : '≥'} ${render(threshold)}`;
}

/** A value as it stands to its threshold: `0.83 ≥ 0.8`, `0.62 < 0.8`; the value alone without one. */
export function valueText(
  value: number,
  { threshold, better }: Pick<Score, 'threshold' | 'better'>,
  render: Render,
  renderThreshold = render,
): string {
  if (threshold === undefined) return render(value);
  const isLower = better === 'lower';
  const [met, missed] = isLower ? ['≤', '>'] : ['≥', '<'];
  const sign = reaches(value, threshold, isLower) ? met : missed;
  return `${apart(value, threshold, render)} ${sign} ${renderThreshold(threshold)}`;
}

/** How a value misses its threshold: `0.62, wanted ≥ 0.8`; `undefined` when it does not. */
export function missText({ value, threshold, better }: Score, render: Render): string | undefined {
  if (value === undefined || threshold === undefined) return undefined;
  if (reaches(value, threshold, better === 'lower')) return undefined;
  return `${apart(value, threshold, render)}, wanted ${limitText({ threshold, better }, render)}`;
}

/** Rounding must not make a value look like the threshold that it misses. */
function apart(value: number, threshold: number, render: Render): string {
  const text = render(value);
  return value !== threshold && text === render(threshold) ? String(value) : text;
}

/** True for rules as files and messages hold them. */
export function isScoreRules(value: unknown): value is ScoreRules {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, rule]) => isScoreKey(key) && isScoreRule(rule))
  );
}

function isScoreRule(value: unknown): value is ScoreRule {
  if (!isObject(value)) return false;
  const { threshold, better, ...others } = value;
  return (
    (threshold === undefined || Number.isFinite(threshold)) &&
    (better === undefined || better === 'higher' || better === 'lower') &&
    Object.keys(others).length === 0
  );
}
