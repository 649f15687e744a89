import type { Descriptor, StoredValues, Task } from '../protocol/messages.js';
import type { OverridableSetting } from '../settings/run-configs.js';
import type { FinishedRow, RegradedRow, RunOwner } from '../store/run-owner.js';
import type { RowWork } from './execution.js';
import type { FinishedTask } from './executor.js';

/** Seconds an attempt of an evaluation may take. */
function timeoutOf(descriptor: Descriptor | undefined, timeout: OverridableSetting): number {
  return timeout.flag ?? descriptor?.timeout ?? timeout.base;
}

/** Runs rows: target, body and evaluators. */
export function runWork(
  owner: RunOwner,
  descriptors: ReadonlyMap<string, Descriptor>,
  timeout: OverridableSetting,
): RowWork {
  return {
    ahead: 512,
    taskOf: (index) => taskOf(owner, index, descriptors, timeout),
    record: (finished) => owner.finish(finished.map(finishedRecord)),
    cancel: (indices) => owner.cancel(indices),
    showRunning: (indices, running) => {
      if (running) owner.markRunning(indices);
      else owner.unmark(indices);
    },
  };
}

/** Grades stored outputs of rows again: body and evaluators. */
export function regradeWork(
  owner: RunOwner,
  descriptors: ReadonlyMap<string, Descriptor>,
  timeout: OverridableSetting,
): RowWork {
  return {
    // Each task carries the stored values.
    ahead: 16,
    taskOf: (index) => ({
      ...taskOf(owner, index, descriptors, timeout),
      stored: storedValues(owner, index),
    }),
    record: (finished) => owner.regrade(finished.map(regradedRecord)),
    // Rows keep what they have until a new grade is there.
    cancel: () => {},
    showRunning: () => {},
  };
}

function taskOf(
  owner: RunOwner,
  index: number,
  descriptors: ReadonlyMap<string, Descriptor>,
  timeout: OverridableSetting,
): Task {
  const row = owner.run.rows[index];
  if (row === undefined) throw new Error(`the run has no row ${index}`);
  const id = row.trial_of ?? row.id;
  return {
    task: index,
    id,
    ...(row.trial === undefined ? {} : { trial: row.trial }),
    timeout: timeoutOf(descriptors.get(id), timeout),
  };
}

function storedValues(owner: RunOwner, index: number): StoredValues {
  const { result } = owner.run.entry(index);
  return {
    input: result.input,
    output: result.output,
    reference: result.reference,
    metadata: result.metadata,
    traceData: result.trace_data,
  };
}

function finishedRecord({ task, outcome }: FinishedTask): FinishedRow {
  const { regradable, ...rest } = outcome;
  return {
    index: task.task,
    ...rest,
    ...(regradable ? { regradable } : {}),
  };
}

function regradedRecord({ task, outcome }: FinishedTask): RegradedRow {
  const { status, error, scores, metadata, trace_data } = outcome;
  return {
    index: task.task,
    status,
    error,
    scores,
    ...(metadata === undefined ? {} : { metadata }),
    trace_data,
  };
}
