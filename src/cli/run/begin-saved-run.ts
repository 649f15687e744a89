import { AssayError } from '../../errors.js';
import { inexactText } from '../../model/inexact-text.js';
import type { RunState } from '../../model/run.js';
import type { Started } from '../../runner/execution/begin-execution.js';
import type { SavedRowFilter } from '../../runner/planning/filter-rows.js';
import {
  isFreeChoice,
  type SavedRunRows,
  savedRunRows,
} from '../../runner/planning/saved-run-rows.js';
import { type Regrade, regrade, whyInexact } from '../../runner/regrade.js';
import { rerun, storedRequest } from '../../runner/rerun.js';
import type { ExecutionSettings, RunnerDependencies } from '../../runner/runner-dependencies.js';
import { startRun } from '../../runner/start-run.js';
import { defaultRunConfig } from '../../settings/resolve-run-config.js';
import type { RunOwner } from '../../store/run-owner.js';
import type { StoredRun } from '../../store/stored-run.js';
import { countOf } from '../../text/count-text.js';
import { askedOf, isAsking } from '../selection-flags.js';
import { isSet } from '../switch-variable.js';
import { type RunCommandOptions, savedRunSettings } from './run-command-options.js';

/** A run that has begun, with remarks for the user. */
export interface Begun {
  readonly run: StoredRun;
  /** Absent when there is nothing to run. */
  readonly started?: Started;
  readonly remarks: readonly string[];
  /** The number of rows that a regrade has left, since their values are not stored as they were; absent without one. */
  readonly skippedInexact?: number;
}

interface SavedRunWork extends ExecutionSettings {
  readonly owner: RunOwner;
  readonly indices: readonly number[] | 'all';
  readonly isFreeChoice: boolean;
}

/**
 * Starts a rerun, resume or regrade of a saved run, in place. Errors: those of taking over the run and of the
 * operation; `nothing-selected` when the filters match nothing.
 */
export async function beginSavedRun(
  runner: RunnerDependencies,
  runId: string,
  options: RunCommandOptions,
): Promise<Begun> {
  checkChanged(options);
  const owner = await runner.store.ownRun(runId);
  const work = await prepare(owner, runner.cwd, options);
  const isNothing = work.indices !== 'all' && work.indices.length === 0;
  // A rerun says what of the run is gone or cannot be imported, also where it runs nothing.
  if (isNothing && options.flags.rerun === undefined) {
    await owner.release();
    const { run } = owner;
    const counts = options.flags.regrade === undefined ? {} : { skippedInexact: 0 };
    return { run, remarks: [nothingRemark(run, options)], ...counts };
  }
  return options.flags.regrade === undefined
    ? beginRerun(runner, work, options)
    : beginRegrade(runner, work, options.flags['regrade-inexact']);
}

function checkChanged({ flags }: RunCommandOptions): void {
  const { only = [], regrade: regraded } = flags;
  if (!only.includes('changed')) return;
  if (regraded !== undefined || only.some((kind) => kind !== 'changed')) {
    throw new AssayError('usage', '--only changed goes with --rerun, and with no other state.', {
      hints: ['What only has another grading is graded again; errors always run again.'],
    });
  }
}

async function prepare(
  owner: RunOwner,
  cwd: string,
  options: RunCommandOptions,
): Promise<SavedRunWork> {
  const { run } = owner;
  try {
    const named = { ...rowFilter(run, options), runName: run.header.run_name, cwd };
    const indices = await savedRunRows(run.snapshot(), named);
    const isFree = isFreeChoice(run.rows, named);
    return { ...savedRunSettings(run, options), owner, indices, isFreeChoice: isFree };
  } catch (error) {
    await owner.release();
    throw error;
  }
}

function rowFilter(
  { state, refused }: StoredRun,
  { flags, paths }: RunCommandOptions,
): Omit<SavedRunRows, 'runName' | 'cwd'> {
  const { limit } = flags;
  const kinds = (flags.only ?? []).filter((kind) => kind !== 'changed');
  const only = flags.resume === undefined ? kinds : unfinished(state);
  return { ...askedOf(flags), only, paths, refused, ...(limit === undefined ? {} : { limit }) };
}

/** In a run that has not started, no row counts as unfinished, and some may be missing. */
function unfinished(state: RunState): SavedRowFilter['only'] {
  return state === 'not_started' ? [] : ['unfinished'];
}

async function beginRerun(
  runner: RunnerDependencies,
  work: SavedRunWork,
  options: RunCommandOptions,
): Promise<Begun> {
  const { run } = work.owner;
  const { prune, resume } = options.flags;
  const kind = resume === undefined ? 'rerun' : 'resume';
  const onlyChanged = options.flags.only?.includes('changed') === true;
  const how = { kind, onGone: 'leave', prune, onlyChanged } as const;
  const { started, gone } = await rerun(runner, { ...work, ...how });
  const remarks = goneRemarks(run, gone, prune);
  if (started !== undefined) return { run, started, remarks };
  if (work.indices !== 'all' && work.indices.length === 0) {
    return { run, remarks: [nothingRemark(run, options), ...remarks] };
  }
  if (run.rows.length === 0) {
    return { run, remarks: [`${run.header.run_name} has no cases: there is nothing to run.`] };
  }
  if (onlyChanged) {
    return { run, remarks: [`Nothing of ${run.header.run_name} has changed.`, ...remarks] };
  }
  const what = gone.length === 0 ? 'marked `skip`' : 'gone';
  const remark = `The evaluations of these results are ${what}: there is nothing to run.`;
  return { run, remarks: [remark, ...remarks] };
}

function nothingRemark(run: StoredRun, options: RunCommandOptions): string {
  const kinds = rowFilter(run, options).only.map((kind) =>
    kind === 'errors' ? kind : `${kind} results`,
  );
  const what = kinds.length === 0 ? 'results that match' : kinds.join(' or ');
  return `${run.header.run_name} has no ${what}: there is nothing to do.`;
}

async function beginRegrade(
  runner: RunnerDependencies,
  work: SavedRunWork,
  acceptsInexact: boolean,
): Promise<Begun> {
  const { run } = work.owner;
  const begun = await regrade(runner, { ...work, acceptsInexact });
  const { started, skippedWithoutTarget: untargeted, gone } = begun;
  const skippedInexact = begun.skippedInexact.length;
  const remarks = [
    ...inexactRemarks(run, begun),
    ...untargetedRemarks(untargeted),
    ...goneRemarks(run, gone),
  ];
  if (started !== undefined) return { run, started, remarks, skippedInexact };
  const first = skippedInexact > 0 ? [] : ['There is no stored output to grade again.'];
  return { run, remarks: [...first, ...remarks], skippedInexact };
}

function inexactRemarks({ rows }: StoredRun, { skippedInexact, regraded }: Regrade): string[] {
  const { length } = skippedInexact;
  if (length === 0) return [];
  const reasons = new Set(
    skippedInexact.map((index) => {
      const row = rows[index];
      return (row && whyInexact(row)) ?? '';
    }),
  );
  const text = inexactText(length, length + regraded, reasons);
  return [`${text}; --regrade-inexact grades what is stored.`];
}

function untargetedRemarks(count: number): string[] {
  if (count === 0) return [];
  return [`${countOf(count, 'result')} of evaluations without a target: not graded again.`];
}

// Further ids are only counted.
const mostNamed = 5;

function goneRemarks({ rows }: StoredRun, gone: readonly number[], prune = false): string[] {
  if (gone.length === 0) return [];
  const ids = gone.slice(0, mostNamed).map((index) => rows[index]?.id ?? '');
  const more = gone.length > mostNamed ? ` and ${gone.length - mostNamed} more` : '';
  const what = prune ? 'pruned' : 'left unchanged (--rerun … --prune excludes them from rates)';
  const results = countOf(gone.length, 'result');
  return [`${results} of evaluations that are gone: ${what}: ${ids.join(', ')}${more}`];
}

/**
 * Starts the evals of a saved run as a new run with another run config, named after it and in the same session;
 * `undefined` for the run's own config. Errors: those of starting a run, `usage` with row filters.
 */
export async function beginWithConfig(
  runner: RunnerDependencies,
  runId: string,
  configName: string,
  options: RunCommandOptions,
): Promise<Started | undefined> {
  const run = await runner.store.openRun(runId);
  try {
    const { config_name, session_name, run_name } = run.header;
    if (config_name === configName) return undefined;
    const settings = savedRunSettings(run, options, configName);
    refuseFilters(options, run_name);
    return await startRun(runner, {
      ...settings,
      request: storedRequest(run),
      sessionName: session_name,
      ...(configName === defaultRunConfig ? {} : { runName: configName }),
      allowOnly: !isSet(process.env.CI),
    });
  } finally {
    await run.close();
  }
}

/** Filters select results, and a new run has none. */
function refuseFilters({ flags, paths }: RunCommandOptions, runName: string): void {
  const { only = [], limit } = flags;
  if (only.length + paths.length === 0 && limit === undefined && !isAsking(flags)) return;
  throw new AssayError(
    'usage',
    `Another run config runs all of ${runName} as a new run, so filters cannot be given.`,
    { hints: ['Omit --run-config to run some of its results again in place.'] },
  );
}
