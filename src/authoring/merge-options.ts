import type { ParsedOptions } from './parse-options.js';

/** Options of an evaluation over shared ones: labels add up, metadata merge, shared evaluators come first. */
export function mergeDefaults(defaults: ParsedOptions, options: ParsedOptions): ParsedOptions {
  const evaluators = [...(defaults.evaluators ?? []), ...(options.evaluators ?? [])];
  return { ...mergeCase(defaults, options), evaluators };
}

/** Options of a case over its evaluation's: labels add up, metadata merge, all else is replaced. */
export function mergeCase<T extends ParsedOptions>(evaluation: T, one: ParsedOptions) {
  return {
    ...evaluation,
    ...one,
    labels: mergeLabels(evaluation.labels ?? [], one.labels ?? []),
    metadata: { ...evaluation.metadata, ...one.metadata },
  };
}

function mergeLabels(shared: readonly string[], own: readonly string[]): readonly string[] {
  return own.length === 0 && Object.isFrozen(shared) ? shared : [...new Set([...shared, ...own])];
}
