import type { RowIdentity } from '../model/result.js';
import type { Descriptor } from '../protocol/messages.js';
import type { OverridableSetting } from '../settings/run-configs.js';

/** One planned row of a run, without its values. */
export interface PlannedRow extends RowIdentity {
  readonly evaluation: string;
  readonly line?: number;
}

/** Yields the rows of a run: evaluations and cases in their order, the trials of each together. */
export function* planRows(
  descriptors: readonly Descriptor[],
  trials: OverridableSetting,
): Generator<PlannedRow> {
  for (const descriptor of descriptors) {
    const count = trials.flag ?? descriptor.trials ?? trials.base;
    if (count === 1) yield plannedRow(descriptor);
    else for (let trial = 1; trial <= count; trial += 1) yield plannedRow(descriptor, trial);
  }
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
