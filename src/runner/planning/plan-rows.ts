import type { CaseFingerprint } from '../../model/code/file-code.js';
import { caseIdOf } from '../../model/result.js';
import type { ScoreRules } from '../../model/scores/score-rule.js';
import type { DescribedValues, Descriptor } from '../../protocol/messages.js';
import type { OverridableSetting } from '../../settings/resolve-run-config.js';
import type { PlannedRow, RunOwner } from '../../store/run-owner.js';
import type { FingerprintOf } from '../changes/case-fingerprint.js';
import type { Executor } from '../executor.js';

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
  const { id, evaluation, dataset, labels, cluster, line } = descriptor;
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
    input,
    reference,
    metadata,
    score_rules: rules,
    fingerprint,
    kept,
  };
}
