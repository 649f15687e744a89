import { isObject } from '../json.js';
import type { Score } from './score.js';
import { type DeclaredScale, isDeclaredScale, isScoreKey } from './score-limits.js';

/** The rule for the values of a score key. */
export interface ScoreRule {
  /** Values at or above it pass; with `better: 'lower'`, values at or below it. Default: values give no verdict. */
  readonly threshold?: number | undefined;
  /** The better values. Default: `higher`. */
  readonly better?: 'higher' | 'lower' | undefined;
  /**
   * The least and the greatest value that there can be: `[0, 100]`. Another value is an error. Default: recognised from
   * the values of a run, 0 to 1 or whole numbers up to 5 or 10; other values have no interval.
   */
  readonly scale?: DeclaredScale | undefined;
}

export type ScoreRules = { readonly [key: string]: ScoreRule };

export const scoreRuleFields = [
  'threshold',
  'better',
  'scale',
] as const satisfies (keyof ScoreRule)[];

/**
 * A score as stored: its value with the scale, the threshold and the resulting verdict. An existing `passed` is kept. Returns
 * the same object if it has no value or no rule applies.
 */
export function deriveVerdict(score: Score, rule: ScoreRule | undefined): Score {
  const { value } = score;
  if (value === undefined || rule === undefined) return score;
  const { threshold, scale } = rule;
  const isLower = rule.better === 'lower';
  return {
    ...score,
    ...(threshold !== undefined && {
      passed: score.passed ?? reaches(value, threshold, isLower),
      threshold,
    }),
    ...(isLower && { better: 'lower' }),
    ...(scale && { scale }),
  };
}

function reaches(value: number, threshold: number, isLower: boolean): boolean {
  return isLower ? value <= threshold : value >= threshold;
}

/**
 * Applies rules to the scores of a grading; returns the same list without rules. A verdict that the evaluator gave has
 * no threshold, because none judged it.
 */
export function deriveVerdicts(
  scores: readonly Score[],
  rules: ScoreRules | undefined,
): readonly Score[] {
  if (rules === undefined) return scores;
  return scores.map((score) => {
    const rule = ruleOf(rules, score.key);
    const isGiven = score.passed !== undefined;
    return deriveVerdict(score, isGiven && rule ? { ...rule, threshold: undefined } : rule);
  });
}

/** True for a verdict that an evaluator or a person gave; false for one that a threshold derived from the value. */
export function isGiven({ passed, threshold }: Pick<Score, 'passed' | 'threshold'>): boolean {
  return passed !== undefined && threshold === undefined;
}

/** Merges two sets of rules. Where both have a rule for a key, each field of `nearer` wins. */
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

/** The rules by which stored scores were judged; `undefined` if there were none. */
export function rulesOfScores(scores: readonly Score[]): ScoreRules | undefined {
  const rules = scores.flatMap(({ key, threshold, better, scale }): [string, ScoreRule][] => {
    const rule = {
      ...(threshold !== undefined && { threshold }),
      ...(better && { better }),
      ...(scale && { scale }),
    };
    return Object.keys(rule).length === 0 ? [] : [[key, rule]];
  });
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}

/** The rule of a key; safe for keys that are names of inherited properties. */
export function ruleOf(rules: ScoreRules | undefined, key: string): ScoreRule | undefined {
  return rules !== undefined && Object.hasOwn(rules, key) ? rules[key] : undefined;
}

/** True for a finite number, on its scale if that is declared. */
export function isOnScale(value: unknown, scale: DeclaredScale | undefined): value is number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return false;
  return scale === undefined || (value >= scale[0] && value <= scale[1]);
}

/** What a value must be: `a number from 0 to 100, its scale`. */
export function scaleText([least, greatest]: DeclaredScale): string {
  return `a number from ${least} to ${greatest}, its scale`;
}

type Render = (value: number) => string;

interface Limit {
  readonly threshold: number;
  readonly better?: 'lower' | undefined;
}

/** The requirement for a value: `≥ 0.8`, or `≤ 500` where lower is better. */
export function limitText({ threshold, better }: Limit, render: Render): string {
  return `${better === 'lower' ? '≤' : '≥'} ${render(threshold)}`;
}

/** A value compared with its threshold: `0.83 ≥ 0.8`, `0.62 < 0.8`; only the value without a threshold. */
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

/** Text for a value that misses its threshold: `0.62, wanted ≥ 0.8`; `undefined` if it does not. */
export function missText({ value, threshold, better }: Score, render: Render): string | undefined {
  if (value === undefined || threshold === undefined) return undefined;
  if (reaches(value, threshold, better === 'lower')) return undefined;
  return `${apart(value, threshold, render)}, wanted ${limitText({ threshold, better }, render)}`;
}

/** Renders a value with more digits if rounding would make it look like the threshold that it misses. */
function apart(value: number, threshold: number, render: Render): string {
  const text = render(value);
  return value !== threshold && text === render(threshold) ? String(value) : text;
}

/** True for rules in the format of files and messages. */
export function isScoreRules(value: unknown): value is ScoreRules {
  return (
    isObject(value) &&
    Object.entries(value).every(([key, rule]) => isScoreKey(key) && isScoreRule(rule))
  );
}

function isScoreRule(value: unknown): value is ScoreRule {
  if (!isObject(value)) return false;
  const { threshold, better, scale, ...others } = value;
  return (
    (threshold === undefined || Number.isFinite(threshold)) &&
    (better === undefined || better === 'higher' || better === 'lower') &&
    (scale === undefined || isDeclaredScale(scale)) &&
    Object.keys(others).length === 0
  );
}
