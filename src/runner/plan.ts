import type { Descriptor } from '../protocol/messages.js';

/** A value that a flag sets for all, or that the run's settings give where the evaluation says nothing. */
export interface Overridable {
  readonly flag?: number;
  readonly base: number;
}

/** One row of a run as it is planned, without its values. */
export interface PlannedRow {
  readonly id: string;
  readonly evaluation: string;
  readonly function: string;
  readonly dataset: string;
  readonly labels: readonly string[];
  readonly trial?: number;
  readonly trial_of?: string;
  readonly line?: number;
}

/** Lays out the rows of a run: evaluations and cases in their order, the trials of each together. */
export function planRows(descriptors: readonly Descriptor[], trials: Overridable): PlannedRow[] {
  return descriptors.flatMap((descriptor) => {
    const count = trials.flag ?? descriptor.trials ?? trials.base;
    if (count === 1) return [plannedRow(descriptor)];
    return Array.from({ length: count }, (_, index) => plannedRow(descriptor, index + 1));
  });
}

function plannedRow(descriptor: Descriptor, trial?: number): PlannedRow {
  const { id, evaluation, dataset, labels, line } = descriptor;
  return {
    id: trial === undefined ? id : `${id}~${trial}`,
    evaluation,
    function: descriptor.function,
    dataset,
    labels,
    ...(trial === undefined ? {} : { trial, trial_of: id }),
    ...(line === undefined ? {} : { line }),
  };
}
