import { AssayError } from '../errors.js';
import { caseIdOf, isFinished } from '../model/result.js';
import type { Row } from '../store/replay/run-index.js';
import type { RunOwner } from '../store/run-owner.js';
import { scheduleOf } from './changes/case-fingerprint.js';
import { beginExecution } from './execution/begin-execution.js';
import { isByChange, isWhole, newPassOf } from './planning/new-pass.js';
import { discoverAgain, type Rerun, type RerunOptions } from './rerun.js';
import { createExecutor, type RunnerDependencies } from './runner-dependencies.js';
import { unlessAborted } from './unless-aborted.js';

export interface RegradeOptions extends Omit<RerunOptions, 'kind' | 'onGone' | 'prune'> {
  /** Grade the JSON of values that are not stored as they were, and mark these scores. Default: leave them. */
  readonly acceptsInexact?: boolean | undefined;
}

/** Nothing is started when no row can be graded. */
export interface Regrade extends Rerun {
  /** The number of rows to regrade. */
  readonly regraded: number;
  /** The number of completed rows whose evaluation has no target, so that there is no stored output to grade. */
  readonly skippedWithoutTarget: number;
  /** Rows whose values are not stored as they were: they keep their grades. */
  readonly skippedInexact: readonly number[];
}

/**
 * Grades stored outputs again with today's bodies and evaluators, without calling targets.
 * @throws {AssayError} `bad-request` when no result of the run has finished
 */
export async function regrade(
  runner: RunnerDependencies,
  options: RegradeOptions,
): Promise<Regrade> {
  const { owner } = options;
  const executor = createExecutor(runner, options, 'execute');
  try {
    if (!owner.run.rows.some(isFinished)) {
      throw new AssayError(
        'bad-request',
        'Nothing of this run has finished, so there is nothing to grade.',
      );
    }
    const { descriptors, importProblem } = await unlessAborted(
      discoverAgain(runner, owner, executor),
      options.signal,
    );
    const hasTarget = new Map(descriptors.map((one) => [one.id, one.hasTarget]));
    const { acceptsInexact = false } = options;
    const sorted = sortRows(owner, options.indices, { hasTarget, acceptsInexact });
    const { indices, skippedInexact } = sorted;
    const counts = {
      regraded: indices.length,
      skippedWithoutTarget: sorted.skippedWithoutTarget,
      skippedInexact,
      gone: sorted.gone,
      importProblem,
    };
    if (indices.length === 0) {
      if (skippedInexact.length > 0) owner.leave(skippedInexact);
      executor.close();
      await owner.release();
      return counts;
    }
    const { rows } = owner.run;
    const { reasons } = options;
    const outOfDate = isByChange(options.indices, reasons) ? reasons : undefined;
    const isFree =
      options.isFreeChoice ?? (outOfDate !== undefined || isWhole(rows, options.indices));
    const left = new Set(skippedInexact);
    const isLeft = (row: Row, index: number) =>
      !row.regradable || left.has(index) || outOfDate?.has(index) === false;
    const newPass = isFree ? newPassOf(rows, indices, isLeft) : [];
    owner.schedule({
      kind: 'regrade',
      rows: indices,
      newPass,
      beginsPass: isFree,
      ...scheduleOf(options.config),
    });
    if (left.size > 0) owner.leave(skippedInexact);
    await owner.save();
    const counted = newPass.filter((index) => hasOtherAttempt(rows[index]));
    const begin = { owner, executor, descriptors, settings: options, reasons };
    const work = { indices, regrade: true, newPass, counted, acceptsInexact };
    return { started: beginExecution(runner, { ...begin, ...work }), ...counts };
  } catch (error) {
    executor.close();
    await owner.release();
    throw error;
  }
}

/** True for a row whose attempt that counts has an output of its own, and not only another grade. */
function hasOtherAttempt(row: Row | undefined): boolean {
  const { counted } = row ?? {};
  if (row === undefined || counted === undefined || !counted.regradable) return false;
  return counted.startedAt !== row.startedAt || counted.outputHash !== row.outputHash;
}

/** Why the values of a row cannot be restored, or those of its attempt that counts. */
export function whyInexact({ inexact, counted }: Row): string | undefined {
  return inexact ?? (counted?.regradable === true ? counted.inexact : undefined);
}

function sortRows(
  owner: RunOwner,
  asked: readonly number[] | 'all',
  {
    hasTarget,
    acceptsInexact,
  }: { readonly hasTarget: ReadonlyMap<string, boolean>; readonly acceptsInexact: boolean },
) {
  const indices: number[] = [];
  const skippedInexact: number[] = [];
  const gone: number[] = [];
  let skippedWithoutTarget = 0;
  for (const index of asked === 'all' ? owner.run.rows.keys() : asked) {
    const row = owner.run.rows[index];
    if (row === undefined || row.pruned === true || !isFinished(row)) continue;
    const target = hasTarget.get(caseIdOf(row));
    if (target === undefined) gone.push(index);
    else if (target && row.regradable) {
      if (acceptsInexact || whyInexact(row) === undefined) indices.push(index);
      else skippedInexact.push(index);
    } else if (!target && row.status === 'completed') skippedWithoutTarget += 1;
  }
  return { indices, skippedWithoutTarget, skippedInexact, gone };
}
