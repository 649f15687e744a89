import type { Descriptor } from '../../protocol/messages.js';
import type { OverridableSetting } from '../../settings/run-configs.js';
import type { PlannedRow } from '../../store/run-owner.js';

/** A row of a run before its values are known. */
export type PlannedTrial = Omit<PlannedRow, 'input' | 'reference' | 'metadata' | 'score_rules'>;

/** Yields the rows of a run from an index on: evaluations and cases in their order, the trials of each together. */
export function* planRows(
  descriptors: readonly Descriptor[],
  trials: OverridableSetting,
  first = 0,
): Generator<PlannedTrial> {
  let index = first;
  for (const descriptor of descriptors) {
    const count = trials.flag ?? descriptor.trials ?? trials.base;
    for (let trial = 1; trial <= count; trial += 1) {
      yield planTrial(descriptor, index, count === 1 ? undefined : trial);
      index += 1;
    }
  }
}

function planTrial(descriptor: Descriptor, index: number, trial: number | undefined): PlannedTrial {
  const { id, evaluation, dataset, labels, line } = descriptor;
  return {
    index,
    id: trial === undefined ? id : `${id}~${trial}`,
    evaluation,
    function: descriptor.function,
    dataset,
    labels,
    ...(trial === undefined ? {} : { trial, trial_of: id }),
    ...(line === undefined ? {} : { line }),
  };
}
