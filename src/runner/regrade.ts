import { AssayError } from '../errors.js';
import { caseIdOf, hasOtherAttempt, isFinished } from '../model/result.js';
import type { Row } from '../store/replay/run-index.js';
import type { RunOwner } from '../store/run-owner.js';
import { beginExecution } from './execution/begin-execution.js';
import { scheduleOf } from './planning/case-fingerprint.js';
import { withParams } from './planning/params.js';
import { isByChange, isWhole, newPassOf } from './planning/plan-rows.js';
import { discoverAgain, goneRows, type Rerun, type RerunOptions } from './rerun.js';
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
    const today = await unlessAborted(discoverAgain(runner, owner, executor), options.signal);
    const { descriptors, importProblem } = today;
    const hasTarget = new Map(descriptors.map((one) => [one.id, one.hasTarget]));
    const { acceptsInexact = false } = options;
    const sorted = sortRows(owner, options.indices, { hasTarget, acceptsInexact });
    const { indices, skippedInexact } = sorted;
    const { rows } = owner.run;
    const { newPass, beginsPass } = passOf(rows, sorted, options);
    const counted = newPass.filter((index) => isGradedBeside(rows[index]));
    const counts = {
      regraded: new Set([...indices, ...counted]).size,
      skippedWithoutTarget: sorted.skippedWithoutTarget,
      skippedInexact,
      gone: sorted.gone,
      importProblem,
    };
    if (counts.regraded === 0) {
      if (skippedInexact.length > 0) owner.leave(skippedInexact);
      executor.close();
      await owner.release();
      return counts;
    }
    const { reasons } = options;
    const config = withParams(options.config, { descriptors, evaluations: descriptors }, undefined);
    owner.noteGone(goneRows(owner, today));
    const schedule = scheduleOf(config, descriptors, runner);
    owner.schedule({ kind: 'regrade', rows: indices, newPass, beginsPass, ...schedule });
    if (skippedInexact.length > 0) owner.leave(skippedInexact);
    await owner.save();
    const begin = { owner, executor, descriptors, settings: options, reasons };
    const work = { indices, regrade: true, newPass, counted, acceptsInexact };
    return { started: beginExecution(runner, { ...begin, ...work }), ...counts };
  } catch (error) {
    executor.close();
    await owner.release();
    throw error;
  }
}

/**
 * The rows whose new grades, or those of their attempts that count, are part of a new pass of grading. An evaluation with a
 * row that is left has none: its rate would be one of two gradings. Where nothing has an output, nothing is to be graded.
 */
function passOf(
  rows: readonly Row[],
  { indices, countedOnly, skippedInexact }: SortedRows,
  { indices: asked, isFreeChoice, reasons }: RegradeOptions,
): { readonly newPass: readonly number[]; readonly beginsPass: boolean } {
  const outOfDate = isByChange(asked, reasons) ? reasons : undefined;
  const isFree = isFreeChoice ?? (outOfDate !== undefined || isWhole(rows, asked));
  if (!isFree) return { newPass: [], beginsPass: false };
  const left = new Set(skippedInexact);
  const isLeft = (row: Row, index: number) =>
    !left.has(index) && (!hasOutput(row) || outOfDate?.has(index) === false);
  const newPass = newPassOf(rows, [...indices, ...countedOnly], isLeft);
  return { newPass, beginsPass: skippedInexact.length === 0 };
}

function hasOutput({ regradable, counted }: Row): boolean {
  return regradable || counted?.regradable === true;
}

/** True for a row whose attempt that counts is graded in addition to the newest one. */
function isGradedBeside(row: Row | undefined): boolean {
  return row?.counted?.regradable === true && hasOtherAttempt(row);
}

/** Why the values of a row cannot be restored, or those of its attempt that counts. */
export function whyInexact({ inexact, counted }: Row): string | undefined {
  return inexact ?? (counted?.regradable === true ? counted.inexact : undefined);
}

interface SortedRows {
  /** Rows whose newest attempt is graded. */
  readonly indices: readonly number[];
  /** Rows of which only the attempt that counts has an output. */
  readonly countedOnly: readonly number[];
  readonly skippedInexact: readonly number[];
  readonly gone: readonly number[];
  readonly skippedWithoutTarget: number;
}

function sortRows(
  owner: RunOwner,
  asked: readonly number[] | 'all',
  {
    hasTarget,
    acceptsInexact,
  }: { readonly hasTarget: ReadonlyMap<string, boolean>; readonly acceptsInexact: boolean },
): SortedRows {
  const indices: number[] = [];
  const countedOnly: number[] = [];
  const skippedInexact: number[] = [];
  const gone: number[] = [];
  let skippedWithoutTarget = 0;
  for (const index of asked === 'all' ? owner.run.rows.keys() : asked) {
    const row = owner.run.rows[index];
    if (row === undefined || row.pruned === true || !isFinished(row)) continue;
    const target = hasTarget.get(caseIdOf(row));
    if (target === undefined) gone.push(index);
    else if (target && hasOutput(row)) {
      if (!acceptsInexact && whyInexact(row) !== undefined) skippedInexact.push(index);
      else if (row.regradable) indices.push(index);
      else countedOnly.push(index);
    } else if (!target && row.status === 'completed') skippedWithoutTarget += 1;
  }
  return { indices, countedOnly, skippedInexact, gone, skippedWithoutTarget };
}
