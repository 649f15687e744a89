import {
  type DeclaredScale,
  isDeclaredScale,
  isScoreKey,
  maxScoreKeyLength,
} from '../../model/scores/score-limits.js';
import {
  isOnScale,
  type ScoreRule,
  type ScoreRules,
  scaleText,
  scoreRuleFields,
} from '../../model/scores/score-rule.js';
import { nearNames } from '../../text/near-names.js';
import { describeElements, describeValue } from '../describe-value.js';
import { isRecord } from '../is-record.js';
import { OptionProblem } from './option-problem.js';

const example = '{ threshold: 0.8 }';

/**
 * Validates and copies the option `scores`, without `undefined` values.
 * @throws {OptionProblem} which names the invalid rule
 */
export function parseScoreRules(value: unknown): ScoreRules {
  if (!isRecord(value)) {
    const hint = Array.isArray(value) ? '; functions that grade go into "evaluators"' : '';
    throw problem(
      `"scores" must be an object of rules by score key, such as { accuracy: ${example} }, not ${describeValue(value)}${hint}`,
    );
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, rule]) => [key, parseRule(key, rule)]),
  );
}

function parseRule(key: string, rule: unknown): ScoreRule {
  if (!isScoreKey(key)) {
    throw problem(
      `the keys of "scores" must be 1 to ${maxScoreKeyLength} characters, not ${describeValue(key)}`,
    );
  }
  const subject = `the rule of ${describeValue(key)} in "scores"`;
  if (!isRecord(rule)) {
    throw problem(`${subject} must be an object, such as ${example}, not ${describeValue(rule)}`);
  }
  for (const field of Object.keys(rule)) checkField(field, subject);
  const { threshold, better, scale } = rule;
  if (threshold !== undefined && !Number.isFinite(threshold)) {
    throw problem(
      `"threshold" in ${subject} must be a finite number, not ${describeValue(threshold)}`,
    );
  }
  if (better !== undefined && better !== 'higher' && better !== 'lower') {
    throw problem(
      `"better" in ${subject} must be "higher" or "lower", not ${describeValue(better)}`,
    );
  }
  if (scale !== undefined && !isDeclaredScale(scale)) {
    throw problem(
      `"scale" in ${subject} must be its least and its greatest value, such as [0, 100], not ${describeElements(scale)}`,
    );
  }
  if (threshold !== undefined && !isOnScale(threshold, scale)) {
    throw problem(
      `"threshold" in ${subject} must be ${scaleText(scale as DeclaredScale)}, not ${threshold}`,
    );
  }
  return {
    ...(threshold !== undefined && { threshold: threshold as number }), // just checked
    ...(better !== undefined && { better }),
    ...(scale !== undefined && { scale }),
  };
}

function checkField(field: string, subject: string): void {
  const known: readonly string[] = scoreRuleFields;
  if (known.includes(field)) return;
  const [near] = nearNames(field, known);
  const hint = near === undefined ? `known are ${known.join(', ')}` : `did you mean "${near}"?`;
  throw problem(`unknown field ${describeValue(field)} in ${subject}: ${hint}`);
}

function problem(message: string): OptionProblem {
  return new OptionProblem(message, 'scores');
}
