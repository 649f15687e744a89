import { caseIdOf } from '../model/result.js';
import { deriveVerdicts } from '../model/score-rule.js';
import type { Descriptor, StoredValues, Task } from '../protocol/messages.js';
import type { OverridableSetting } from '../settings/run-configs.js';
import type { FinishedRow, RegradedRow, RunOwner } from '../store/run-owner.js';
import type { RowWork } from './execution.js';
import type { FinishedTask } from './executor.js';
import type { ScoreRulesOf } from './score-rules-of.js';

/** Seconds that an attempt of an evaluation, named by its id, may take. */
export type Timeouts = (id: string) => number;

/** The timeouts of discovered evaluations: flag, else their own, else that of the run. */
export function timeoutsOf(
  descriptors: readonly Descriptor[],
  { flag, base }: OverridableSetting,
): Timeouts {
  if (flag !== undefined) return () => flag;
  const own = new Map<string, number>();
  for (const { id, timeout } of descriptors) if (timeout !== undefined) own.set(id, timeout);
  return (id) => own.get(id) ?? base;
}

/** Runs rows: target, body and evaluators. */
export function runWork(owner: RunOwner, timeouts: Timeouts, rulesOf: ScoreRulesOf): RowWork {
  return {
    ahead: 2048,
    taskOf: (index) => taskOf(owner, index, timeouts),
    judge: (finished) => judge(finished, rulesOf),
    record: (finished) => owner.finish(finished.map(finishedRecord)),
    cancel: (indices) => owner.cancel(indices),
    showRunning: (indices, running) => {
      if (running) owner.markRunning(indices);
      else owner.unmark(indices);
    },
  };
}

/** Grades stored outputs of rows again: body and evaluators, judged by today's rules. */
export function regradeWork(owner: RunOwner, timeouts: Timeouts, rulesOf: ScoreRulesOf): RowWork {
  return {
    // Each task carries the stored values.
    ahead: 16,
    taskOf: (index) => ({
      ...taskOf(owner, index, timeouts),
      stored: storedValues(owner, index),
    }),
    judge: (finished) => judge(finished, rulesOf),
    record: (finished) => owner.regrade(finished.map((one) => regradedRecord(one, rulesOf))),
    // Rows keep what they have until a new grade is there.
    cancel: () => {},
    showRunning: () => {},
  };
}

function taskOf(owner: RunOwner, index: number, timeouts: Timeouts): Task {
  const row = owner.run.rows[index];
  if (row === undefined) throw new Error(`the run has no row ${index}`);
  const id = caseIdOf(row);
  return {
    task: index,
    id,
    trial: row.trial,
    timeout: timeouts(id),
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

function judge(finished: FinishedTask, rulesOf: ScoreRulesOf): FinishedTask {
  const { task, outcome } = finished;
  const scores = deriveVerdicts(outcome.scores, rulesOf(task.id));
  return scores === outcome.scores ? finished : { task, outcome: { ...outcome, scores } };
}

function finishedRecord({ task, outcome }: FinishedTask): FinishedRow {
  const { status, output, scores, error, latency, metadata, trace_data = {} } = outcome;
  return {
    index: task.task,
    status,
    output,
    scores,
    error,
    latency,
    metadata,
    trace_data,
    regradable: outcome.regradable ? true : undefined,
    code: outcome.code,
  };
}

function regradedRecord({ task, outcome }: FinishedTask, rulesOf: ScoreRulesOf): RegradedRow {
  const { status, error, scores, metadata, trace_data, code } = outcome;
  return {
    index: task.task,
    status,
    error,
    scores,
    score_rules: rulesOf(task.id),
    metadata,
    trace_data,
    code,
  };
}
