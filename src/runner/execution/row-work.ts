import type { Call, Span } from '../../model/calls/model-call.js';
import { spentOf, spentOnGrading, sumOfUsage } from '../../model/calls/run-usage.js';
import { type Usage, usageOf } from '../../model/calls/usage.js';
import { inexactText } from '../../model/inexact-text.js';
import { caseIdOf, hasOtherAttempt } from '../../model/result.js';
import { deriveVerdicts } from '../../model/scores/score-rule.js';
import type { CallPricer } from '../../model-calls/prices.js';
import type { Descriptor, StoredValues, Task } from '../../protocol/messages.js';
import type { OverridableSetting } from '../../settings/resolve-run-config.js';
import type { FinishedRow, RegradedRow, RunOwner } from '../../store/run-owner.js';
import type { CountedRun } from '../../store/stored-run.js';
import { type Source, storeRegraded } from '../changes/take-over.js';
import type { FinishedResult } from '../events.js';
import type { ScoreRulesOf } from '../planning/plan-rows.js';
import type { RowWork } from './execution.js';

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
  /** The hash of code with the run config. */
  readonly codeOf: (code: string | undefined) => string | undefined;
  /** Why a row runs, or gets a new grade; `undefined` where everything that was asked for runs. */
  readonly reasonOf: (index: number) => string | undefined;
  /** True for a row that runs to verify the result that counts. */
  readonly verifies: (index: number) => boolean;
}

/** Runs rows: target, body and evaluators. */
export function runWork(owner: RunOwner, timeouts: Timeouts, judging: Judging): RowWork {
  return {
    ahead: 2048,
    taskOf: (index) => taskOf(owner, index, timeouts),
    judge: (finished) => judge(finished, judging),
    leave: () => {},
    remark: undefined,
    record: (finished) => owner.finish(finished.map((one) => finishedRecord(one, judging))),
    cancel: (indices) => owner.cancel(indices),
    showRunning: (indices, running) => {
      if (running) owner.markRunning(indices);
      else owner.unmark(indices);
    },
  };
}

/** How stored outputs are graded again. */
export interface RegradeWorkOptions {
  /** Inputs and references are those of today. Default true. */
  readonly hasChangedCases?: boolean;
  /** Rows whose new grades count, as part of a new pass of grading. */
  readonly newPass?: readonly number[] | undefined;
  /** Grade the JSON of what is not stored as it was, and mark these scores. */
  readonly acceptsInexact?: boolean | undefined;
}

/** Grades stored outputs of rows again: body and evaluators, judged by today's rules. */
export function regradeWork(
  owner: RunOwner,
  timeouts: Timeouts,
  judging: Judging,
  options: RegradeWorkOptions = {},
): RowWork {
  const { hasChangedCases = true, newPass, acceptsInexact = false } = options;
  const { run } = owner;
  const { length } = run.rows;
  const left = new LeftRows();
  /** Tasks whose stored calls are damaged. */
  const lacking = new Set<number>();
  // The grade of a repeat does not count; that of its attempt that counts does.
  const inPass = new Set(
    newPass?.filter((index) => {
      const row = run.rows[index];
      return row === undefined || !hasOtherAttempt(row);
    }),
  );
  // Tasks from here on grade the attempts that count of rows whose repeats the tasks before grade.
  const isOfCounted = (task: number) => task >= length;
  const rowOf = (task: number) =>
    isOfCounted(task) ? run.rows[task % length]?.counted : run.rows[task];
  const placeOf = (index: number) =>
    isOfCounted(index)
      ? ({ attempt: 'counted' } as const)
      : { pass: inPass.has(index) || undefined };
  return {
    // Each task carries the stored values.
    ahead: 16,
    taskOf: (task) => {
      const index = task % length;
      const of = isOfCounted(task) ? run.counted : run;
      const stored = { ...storedValues(of, index, hasChangedCases), acceptsJson: acceptsInexact };
      if (stored.lacksCalls) lacking.add(task);
      return { ...taskOf(owner, index, timeouts), task, stored };
    },
    judge: (finished) => {
      const { index } = finished;
      const row = rowOf(index);
      const isExact = row?.inexact === undefined && !lacking.has(index);
      return judge(isExact ? finished : withMark(finished), judging);
    },
    leave: (finished) => {
      left.add(finished);
      owner.leave(finished.map(({ index }) => index % length));
    },
    get remark() {
      return left.remark;
    },
    record: (finished) => {
      const graded = finished.map((one) => ({
        ...regradedRecord(one, judging),
        index: one.index % length,
        ...placeOf(one.index),
        ...(lacking.has(one.index) && {
          calls: { calls: [], texts: [], ...one.outcome.calls, unreadable: true } as const,
          usage: usageWithNewGrade(rowOf(one.index)?.usage, one.usage),
        }),
      }));
      // Calls on lines of their own would become those of the newest attempt.
      owner.regrade(graded.map((one) => ('attempt' in one ? { ...one, calls: undefined } : one)));
    },
    // Rows keep what they have until a new grade is there.
    cancel: () => {},
    showRunning: () => {},
  };
}

/**
 * Grades outputs of other runs for rows that have none: each row takes over the result with its new grade.
 */
export function takeOverWork(
  owner: RunOwner,
  timeouts: Timeouts,
  judging: Judging,
  sources: ReadonlyMap<number, Source>,
): RowWork {
  const sourceOf = (index: number): Source => {
    const source = sources.get(index);
    if (source === undefined) throw new Error(`row ${index} takes nothing over`);
    return source;
  };
  const left = new LeftRows();
  return {
    ...runWork(owner, timeouts, judging),
    leave: (finished) => {
      left.add(finished);
      owner.cancel(finished.map(({ index }) => index));
    },
    get remark() {
      return left.remark;
    },
    ahead: 16,
    taskOf: (index) => {
      const { base, index: from } = sourceOf(index);
      return { ...taskOf(owner, index, timeouts), stored: storedValues(base.counted, from, false) };
    },
    record: (finished) => {
      for (const one of finished) {
        storeRegraded(owner, sourceOf(one.index), regradedRecord(one, judging));
      }
    },
  };
}

/** Work of two kinds in one execution; `isOther` says which rows are of the second. */
export function mixedWork(
  work: RowWork,
  other: RowWork,
  isOther: (index: number) => boolean,
): RowWork {
  const workOf = (index: number) => (isOther(index) ? other : work);
  const split = <Item>(items: readonly Item[], indexOf: (item: Item) => number) => ({
    own: items.filter((item) => !isOther(indexOf(item))),
    others: items.filter((item) => isOther(indexOf(item))),
  });
  const both = (act: (of: RowWork, indices: readonly number[]) => void) => {
    return (indices: readonly number[]): void => {
      const { own, others } = split(indices, (index) => index);
      act(work, own);
      act(other, others);
    };
  };
  return {
    ...work,
    ahead: other.ahead,
    taskOf: (index) => workOf(index).taskOf(index),
    record: (finished) => {
      const { own, others } = split(finished, ({ index }) => index);
      if (own.length > 0) work.record(own);
      if (others.length > 0) other.record(others);
    },
    leave: (finished) => {
      const { own, others } = split(finished, ({ index }) => index);
      if (own.length > 0) work.leave(own);
      if (others.length > 0) other.leave(others);
    },
    get remark() {
      return other.remark ?? work.remark;
    },
    cancel: both((of, indices) => of.cancel(indices)),
    showRunning: (indices, running) => both((of, some) => of.showRunning(some, running))(indices),
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

/** `withAuthored`: the case may have changed since. */
function storedValues(
  run: Pick<CountedRun, 'entry' | 'trace'>,
  index: number,
  withAuthored: boolean,
): StoredValues {
  const { result, kept } = run.entry(index);
  const { calls, spans = [], unreadable } = run.trace(index);
  const isOfTarget = ({ role }: Call | Span) => role === 'target';
  const trace = { calls: calls.filter(isOfTarget), spans: spans.filter(isOfTarget) };
  return {
    ...(withAuthored && { authored: { input: result.input, reference: result.reference } }),
    output: result.output,
    metadata: result.metadata,
    traceData: result.trace_data,
    ...(kept && { kept }),
    latency: result.latency,
    ...(trace.calls.length + trace.spans.length > 0 && { trace }),
    ...(unreadable && { lacksCalls: true }),
  };
}

/** Rows that could not be graded, because hosts could not restore their values. */
class LeftRows {
  #count = 0;
  readonly #reasons = new Set<string>();

  add(finished: readonly FinishedResult[]): void {
    this.#count += finished.length;
    for (const { outcome } of finished) this.#reasons.add(outcome.left ?? '');
  }

  /** Absent for none. */
  get remark(): string | undefined {
    return this.#count === 0 ? undefined : inexactText(this.#count, undefined, this.#reasons);
  }
}

/** The calls of the target cannot be read, but what they used is known. */
function usageWithNewGrade(stored: Usage | undefined, graded: Usage | undefined) {
  const ofTarget = spentOf({ usage: stored }, (role) => role === 'target');
  return sumOfUsage(ofTarget, spentOnGrading({ usage: graded }));
}

/** Marks the scores of a grading that did not see what the target returned. */
function withMark(finished: FinishedResult): FinishedResult {
  const scores = finished.outcome.scores.map((score) => ({ ...score, inexact: true }) as const);
  return { ...finished, outcome: { ...finished.outcome, scores } };
}

function judge(finished: FinishedResult, { rulesOf, pricer }: Judging): FinishedResult {
  const { id, outcome } = finished;
  const scores = deriveVerdicts(outcome.scores, rulesOf(id));
  const calls = outcome.calls && pricer.price(outcome.calls);
  if (scores === outcome.scores && calls === undefined) return finished;
  const usage = calls && usageOf(calls.calls);
  // Graders have seen the provider that the host knows.
  const isRenamed = calls?.calls.some(
    ({ model_call }, at) => model_call?.provider !== outcome.calls?.calls[at]?.model_call?.provider,
  );
  const stored = { ...outcome, scores, ...(calls && { calls }) };
  return {
    ...finished,
    outcome: isRenamed ? { ...stored, exact: undefined } : stored,
    usage,
  };
}

function finishedRecord(
  { index, outcome, usage }: FinishedResult,
  { codeOf, reasonOf, verifies }: Judging,
): FinishedRow {
  const { status, output, scores, error, latency, metadata, trace_data = {}, calls } = outcome;
  const { startedAt, kept, inexact, exact, hazard } = outcome;
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
    kept,
    inexact,
    exact,
    hazard,
    code: codeOf(outcome.code),
    reason: reasonOf(index),
    usage,
    calls,
    no_draw: status === 'error' ? outcome.no_draw : undefined,
    verifies: verifies(index) ? true : undefined,
  };
}

function regradedRecord(
  { index, id, outcome, usage }: FinishedResult,
  { rulesOf, codeOf, reasonOf }: Judging,
): RegradedRow {
  const { status, error, scores, metadata, trace_data, code, calls, exact, hazard } = outcome;
  const { kept, inexact } = outcome;
  return {
    index,
    status,
    error,
    scores,
    score_rules: rulesOf(id),
    metadata,
    trace_data,
    kept,
    inexact,
    exact,
    hazard,
    code: codeOf(code),
    reason: reasonOf(index),
    usage,
    calls,
  };
}
