import { AssayError } from '../../errors.js';
import type { CaseFingerprint } from '../../model/code/file-code.js';
import { caseIdOf, type RowFacts, type RowIdentity } from '../../model/result.js';
import { mergeScoreRules, type ScoreRules } from '../../model/scores/score-rule.js';
import type { DescribedValues, Descriptor } from '../../protocol/messages.js';
import type { OverridableSetting } from '../../settings/resolve-run-config.js';
import type { PlannedRow, RunOwner } from '../../store/run-owner.js';
import type { Executor } from '../executor.js';
import type { FingerprintOf } from './case-fingerprint.js';

/** A row of a run before its values are known. */
export type PlannedTrial = Omit<
  PlannedRow,
  'input' | 'reference' | 'metadata' | 'score_rules' | 'fingerprint' | 'kept'
>;

/** Yields the rows of a run from an index on: evaluations and cases in their order, the trials of each together. */
export function* planRows(
  descriptors: readonly Descriptor[],
  trials: OverridableSetting,
  first = 0,
): Generator<PlannedTrial> {
  let index = first;
  for (const descriptor of descriptors) {
    const count = trialsOf(descriptor, trials);
    for (let trial = 1; trial <= count; trial += 1) {
      yield planTrial(descriptor, index, count === 1 ? undefined : trial);
      index += 1;
    }
  }
}

/** The number of trials of a case. */
export function trialsOf({ trials }: Descriptor, { flag, base }: OverridableSetting): number {
  return flag ?? trials ?? base;
}

function planTrial(descriptor: Descriptor, index: number, trial: number | undefined): PlannedTrial {
  const { id, evaluation, dataset, labels, cluster, line, lineFile } = descriptor;
  return {
    index,
    id: trial === undefined ? id : `${id}~${trial}`,
    evaluation,
    function: descriptor.function,
    dataset,
    labels,
    ...(trial === undefined ? {} : { trial, trial_of: id }),
    ...(cluster === undefined ? {} : { cluster }),
    ...(line === undefined ? {} : { line }),
    ...(lineFile === undefined ? {} : { line_file: lineFile }),
  };
}

interface RowsToPlan {
  /** Case ids, in the order of `rows`. */
  readonly ids: readonly string[];
  /** The trials of a case are adjacent. */
  readonly rows: Iterable<PlannedTrial>;
  /** The score rules of a case. */
  readonly rulesOf: (id: string) => ScoreRules | undefined;
  readonly fingerprintOf: FingerprintOf;
  /** Called with each plan, in the order of `rows`. */
  readonly onPlan?: ((plan: PlannedRow) => void) | undefined;
  /** False for a plan that is already in the log. */
  readonly isChanged?: (plan: PlannedRow) => boolean;
}

/** Plans rows with their authored values, a few at a time. */
export async function describeRows(
  executor: Executor,
  { ids, rows, rulesOf, fingerprintOf, onPlan }: RowsToPlan,
  onPlans: (plans: readonly PlannedRow[]) => void,
): Promise<void> {
  const iterator = rows[Symbol.iterator]();
  let next = iterator.next();
  await executor.describe(ids, (values) => {
    const plans: PlannedRow[] = [];
    for (const described of values) {
      const { id } = described;
      const rules = rulesOf(id);
      while (next.done !== true && caseIdOf(next.value) !== id) next = iterator.next();
      while (next.done !== true && caseIdOf(next.value) === id) {
        const fingerprint = fingerprintOf(next.value, described, rules);
        plans.push(withValues(next.value, described, rules, fingerprint));
        next = iterator.next();
      }
    }
    if (onPlan !== undefined) for (const plan of plans) onPlan(plan);
    onPlans(plans);
  });
}

/**
 * Writes rows with their authored values to the log, a few at a time, so that neither the rows nor the values of a
 * large run are in memory together.
 */
export async function writePlannedRows(
  owner: RunOwner,
  executor: Executor,
  toPlan: RowsToPlan,
): Promise<void> {
  const { isChanged = () => true } = toPlan;
  await describeRows(executor, toPlan, (plans) => {
    const changed = plans.filter(isChanged);
    if (changed.length > 0) owner.plan(changed);
  });
}

/** Field by field, because V8 takes ten times as long to add fields to a copy. */
function withValues(
  row: PlannedTrial,
  { input, reference, metadata, kept }: DescribedValues,
  rules: ScoreRules | undefined,
  fingerprint: CaseFingerprint | undefined,
): PlannedRow {
  return {
    index: row.index,
    id: row.id,
    evaluation: row.evaluation,
    function: row.function,
    dataset: row.dataset,
    labels: row.labels,
    trial: row.trial,
    trial_of: row.trial_of,
    cluster: row.cluster,
    line: row.line,
    line_file: row.line_file,
    input,
    reference,
    metadata,
    score_rules: rules,
    fingerprint,
    kept,
  };
}

/** Returns the score rules of a case by its id; `undefined` without rules. */
export type ScoreRulesOf = (id: string) => ScoreRules | undefined;

/** The score rules of discovered evaluations: their own, merged over the shared ones. */
export function scoreRulesOf(
  descriptors: readonly Descriptor[],
  shared: ScoreRules | undefined,
): ScoreRulesOf {
  const own = new Map<string, ScoreRules>();
  // All cases of an evaluation share one rules object.
  const merged = new Map<ScoreRules, ScoreRules>();
  for (const { id, scoreRules } of descriptors) {
    if (scoreRules === undefined) continue;
    const all = merged.get(scoreRules) ?? mergeScoreRules(shared, scoreRules) ?? scoreRules;
    merged.set(scoreRules, all);
    own.set(id, all);
  }
  return (id) => own.get(id) ?? shared;
}

/** Identity of a row across runs. */
type RowKey = Pick<RowIdentity, 'id' | 'trial' | 'trial_of'>;

/**
 * The positions of wanted rows among planned ones. If only one side has trials, a case matches all its trials.
 * Error: `view-only`, which names the missing rows.
 */
export function matchPlannedRows(planned: Iterable<RowKey>, wanted: readonly RowKey[]): number[] {
  const ids = new Set(wanted.map((row) => row.id));
  const whole = new Set(wanted.filter((row) => row.trial === undefined).map((row) => row.id));
  const caseIds = new Set(wanted.map(caseIdOf));
  const found = new Set<string>();
  const chosen: number[] = [];
  let index = 0;
  for (const row of planned) {
    const caseId = caseIdOf(row);
    const isWanted =
      ids.has(row.id) || whole.has(caseId) || (row.trial === undefined && caseIds.has(caseId));
    if (isWanted) {
      chosen.push(index);
      found.add(row.id);
      if (row.trial === undefined || whole.has(caseId)) found.add(caseId);
    }
    index += 1;
  }
  const gone = wanted.filter((row) => !found.has(row.id) && !found.has(caseIdOf(row)));
  if (gone.length > 0) throw goneError(gone.map((row) => row.id));
  return chosen;
}

/** The error for requested rows whose evaluation no longer exists. */
export function goneError(ids: readonly string[]): AssayError {
  const named = ids.slice(0, 5).join(', ');
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return new AssayError('view-only', `The evals have no ${named}${more} any more.`);
}

/**
 * The rows among `chosen` whose evaluations begin a new pass: all rows of these evaluations are chosen, except those for
 * which `isLeft` is true, such as pruned ones. Nothing may have chosen rows by their outcome.
 */
export function newPassOf<R extends RowFacts>(
  rows: readonly R[],
  chosen: readonly number[],
  isLeft: (row: R, index: number) => boolean,
): number[] {
  const all = new Set(chosen);
  const incomplete = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (!all.has(index) && row.pruned !== true && !isLeft(row, index)) {
      incomplete.add(row.evaluation);
    }
  }
  return chosen.filter((index) => {
    const row = rows[index];
    return row === undefined || !incomplete.has(row.evaluation);
  });
}

/** True when what is chosen is what is known to be out of date, by index: what has changed decided, not an outcome. */
export function isByChange(
  chosen: readonly number[] | 'all',
  outOfDate: ReadonlyMap<number, string> | undefined,
): boolean {
  return chosen !== 'all' && chosen.length > 0 && chosen.every((index) => outOfDate?.has(index));
}

/** True when a selection of indices is all rows, so that nothing was chosen. */
export function isWhole(rows: readonly RowFacts[], indices: readonly number[] | 'all'): boolean {
  if (indices === 'all') return true;
  const chosen = new Set(indices);
  return rows.every((row, index) => row.pruned === true || chosen.has(index));
}
