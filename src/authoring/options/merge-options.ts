import { mergeScoreRules } from '../../model/scores/score-rule.js';
import type { ParsedOptions } from './parse-options.js';

/**
 * Options of an evaluation over shared ones: labels add up, metadata, params, score rules and rubrics merge, shared evaluators come
 * first.
 */
export function mergeDefaults(defaults: ParsedOptions, options: ParsedOptions): ParsedOptions {
  const evaluators = [...(defaults.evaluators ?? []), ...(options.evaluators ?? [])];
  const params = { ...defaults.params, ...options.params };
  const isTyped = defaults.params !== undefined || options.params !== undefined;
  const rubrics = { ...defaults.rubrics, ...options.rubrics };
  return {
    ...mergeCase(defaults, options),
    ...(isTyped && { params }),
    ...(Object.keys(rubrics).length > 0 && { rubrics }),
    evaluators,
  };
}

/** Options of a case over its evaluation's: labels add up, metadata and score rules merge, all else is replaced. */
export function mergeCase<T extends ParsedOptions>(evaluation: T, one: ParsedOptions) {
  const merged = {
    ...evaluation,
    ...one,
    labels: mergeLabels(evaluation.labels ?? [], one.labels ?? []),
    metadata: { ...evaluation.metadata, ...one.metadata },
  };
  const scores = mergeScoreRules(evaluation.scores, one.scores);
  // Copied only if both have rules, because there are many cases.
  return scores === undefined || scores === merged.scores ? merged : { ...merged, scores };
}

function mergeLabels(shared: readonly string[], own: readonly string[]): readonly string[] {
  return own.length === 0 && Object.isFrozen(shared) ? shared : [...new Set([...shared, ...own])];
}
