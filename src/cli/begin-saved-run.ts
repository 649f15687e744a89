import type { RowFilter } from '../runner/choose-rows.js';
import { regrade } from '../runner/regrade.js';
import { rerun } from '../runner/rerun.js';
import type { ExecutionSettings, Runner, Started } from '../runner/runner.js';
import { parseStoredRequest } from '../runner/stored-request.js';
import { resolveRunConfig } from '../settings/run-configs.js';
import type { RunOwner } from '../store/run-owner.js';
import type { StoredRun } from '../store/stored-run.js';
import { countOf } from './figures.js';
import { executionSettings, type RunCommandOptions } from './run-command-options.js';
import { savedRunRows } from './saved-run-rows.js';

/** What is run, with remarks for people; or what to say when there is nothing to run. */
export type Begun =
  | { readonly started: Started; readonly remarks: readonly string[] }
  | { readonly run: StoredRun; readonly nothing: string };

interface SavedRunWork extends ExecutionSettings {
  readonly owner: RunOwner;
  readonly indices: readonly number[] | 'all';
}

/**
 * Begins a rerun, resume or regrade of a saved run, in place. Errors: those of taking the run over and of the
 * operation, `nothing-selected` when the filters match nothing.
 */
export async function beginSavedRun(
  runner: Runner,
  runId: string,
  options: RunCommandOptions,
): Promise<Begun> {
  const owner = await runner.store.ownRun(runId);
  const work = await prepare(owner, runner.cwd, options);
  if (work.indices.length === 0) {
    await owner.release();
    const { run } = owner;
    const what = rowFilter(options).only.join(' or ');
    return {
      run,
      nothing: `Nothing of ${run.header.run_name} is ${what}: there is nothing to do.`,
    };
  }
  return options.flags.regrade === undefined
    ? beginRerun(runner, work, options.flags.resume === undefined ? 'rerun' : 'resume')
    : beginRegrade(runner, work);
}

async function prepare(
  owner: RunOwner,
  cwd: string,
  options: RunCommandOptions,
): Promise<SavedRunWork> {
  const { run } = owner;
  try {
    const named = { ...rowFilter(options), runName: run.header.run_name, cwd };
    const indices = savedRunRows(run.rows, named);
    return { ...savedRunSettings(run, options), owner, indices };
  } catch (error) {
    await owner.release();
    throw error;
  }
}

function rowFilter({ flags, paths }: RunCommandOptions): RowFilter {
  const { dataset: datasets = [], label: labels = [], limit } = flags;
  const only = flags.resume === undefined ? (flags.only ?? []) : (['unfinished'] as const);
  return { only, datasets, labels, paths, ...(limit === undefined ? {} : { limit }) };
}

async function beginRerun(
  runner: Runner,
  work: SavedRunWork,
  kind: 'rerun' | 'resume',
): Promise<Begun> {
  const { run } = work.owner;
  const { started, gone } = await rerun(runner, { ...work, kind, onGone: 'leave' });
  if (started !== undefined) return { started, remarks: goneRemarks(gone) };
  return { run, nothing: 'The evaluations of these results are gone: there is nothing to run.' };
}

async function beginRegrade(runner: Runner, work: SavedRunWork): Promise<Begun> {
  const { run } = work.owner;
  const { started, skippedWithoutTarget: untargeted, gone } = await regrade(runner, work);
  const remarks = [...untargetedRemarks(untargeted), ...goneRemarks(gone)];
  if (started !== undefined) return { started, remarks };
  return { run, nothing: ['There is no stored output to grade again.', ...remarks].join(' ') };
}

function untargetedRemarks(count: number): string[] {
  if (count === 0) return [];
  return [`${countOf(count, 'result')} of evaluations without a target: not graded again.`];
}

function goneRemarks({ length: count }: readonly number[]): string[] {
  if (count === 0) return [];
  return [`${countOf(count, 'result')} of evaluations that are gone: left as before.`];
}

/** A saved run keeps its own config, and the flags it was started with unless new ones are given. */
function savedRunSettings(run: StoredRun, options: RunCommandOptions): ExecutionSettings {
  const { config_name, selection } = run.header;
  const config = resolveRunConfig(options.settings, config_name);
  const kept = parseStoredRequest(selection).flags;
  const timeout = config.timeout.flag ?? kept.timeout;
  const trials = config.trials.flag ?? kept.trials;
  return executionSettings(options, {
    ...config,
    timeout: { base: config.timeout.base, ...(timeout === undefined ? {} : { flag: timeout }) },
    trials: { base: config.trials.base, ...(trials === undefined ? {} : { flag: trials }) },
  });
}
