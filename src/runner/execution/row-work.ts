import type { Call, Span } from '../../model/calls/model-call.js';
import { usageOf } from '../../model/calls/usage.js';
import { caseIdOf } from '../../model/result.js';
import { deriveVerdicts } from '../../model/scores/score-rule.js';
import type { Descriptor, StoredValues, Task } from '../../protocol/messages.js';
import type { OverridableSetting } from '../../settings/resolve-run-config.js';
import type { FinishedRow, RegradedRow, RunOwner } from '../../store/run-owner.js';
import type { CallPricer } from '../calls/call-pricer.js';
import type { FinishedResult } from '../events.js';
import type { RowWork } from './execution.js';
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

/** Adds verdicts and prices to the results of hosts. */
export interface Judging {
  readonly rulesOf: ScoreRulesOf;
  readonly pricer: CallPricer;
}

/** Runs rows: target, body and evaluators. */
export function runWork(owner: RunOwner, timeouts: Timeouts, judging: Judging): RowWork {
  return {
    ahead: 2048,
    get prices() {
      return judging.pricer.source;
    },
    taskOf: (index) => taskOf(owner, index, timeouts),
    prepare: (finished) => preparePrices(finished, judging),
    judge: (finished) => judge(finished, judging),
    record: (finished) => owner.finish(finished.map(finishedRecord)),
    recordLate: (index, calls) => owner.addCalls(index, judging.pricer.price(calls)),
    cancel: (indices) => owner.cancel(indices),
    showRunning: (indices, running) => {
      if (running) owner.markRunning(indices);
      else owner.unmark(indices);
    },
  };
}

/** Grades stored outputs of rows again: body and evaluators, judged by today's rules. */
export function regradeWork(owner: RunOwner, timeouts: Timeouts, judging: Judging): RowWork {
  return {
    // Each task carries the stored values.
    ahead: 16,
    get prices() {
      return judging.pricer.source;
    },
    taskOf: (index) => ({
      ...taskOf(owner, index, timeouts),
      stored: storedValues(owner, index),
    }),
    prepare: (finished) => preparePrices(finished, judging),
    judge: (finished) => judge(finished, judging),
    record: (finished) =>
      owner.regrade(finished.map((one) => regradedRecord(one, judging.rulesOf))),
    recordLate: (index, calls) => owner.addCalls(index, judging.pricer.price(calls)),
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
  const { calls, spans = [] } = owner.run.trace(index);
  const isOfTarget = ({ role }: Call | Span) => role === 'target';
  const trace = { calls: calls.filter(isOfTarget), spans: spans.filter(isOfTarget) };
  return {
    input: result.input,
    output: result.output,
    reference: result.reference,
    metadata: result.metadata,
    traceData: result.trace_data,
    ...(trace.calls.length + trace.spans.length > 0 && { trace }),
  };
}

function preparePrices(finished: readonly FinishedResult[], { pricer }: Judging) {
  return finished.some(({ outcome }) => outcome.calls !== undefined) ? pricer.load() : undefined;
}

function judge(finished: FinishedResult, { rulesOf, pricer }: Judging): FinishedResult {
  const { id, outcome } = finished;
  const scores = deriveVerdicts(outcome.scores, rulesOf(id));
  const calls = outcome.calls && pricer.price(outcome.calls);
  if (scores === outcome.scores && calls === undefined) return finished;
  const usage = calls && usageOf(calls.calls);
  return { ...finished, outcome: { ...outcome, scores, ...(calls && { calls }) }, usage };
}

function finishedRecord({ index, outcome, usage }: FinishedResult): FinishedRow {
  const { status, output, scores, error, latency, metadata, trace_data = {}, calls } = outcome;
  const { startedAt } = outcome;
  return {
    index,
    status,
    output,
    scores,
    error,
    latency,
    started_at: startedAt === undefined ? undefined : new Date(startedAt).toISOString(),
    metadata,
    trace_data,
    regradable: outcome.regradable ? true : undefined,
    code: outcome.code,
    usage,
    calls,
  };
}

function regradedRecord(
  { index, id, outcome, usage }: FinishedResult,
  rulesOf: ScoreRulesOf,
): RegradedRow {
  const { status, error, scores, metadata, trace_data, code, calls } = outcome;
  return {
    index,
    status,
    error,
    scores,
    score_rules: rulesOf(id),
    metadata,
    trace_data,
    code,
    usage,
    calls,
  };
}
