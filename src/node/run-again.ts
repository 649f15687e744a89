import type { RunJson } from '../model/run.js';
import type { Started } from '../runner/execution/begin-execution.js';
import { rowKinds } from '../runner/planning/filter-rows.js';
import { isFreeChoice, savedRunRows } from '../runner/planning/saved-run-rows.js';
import { savedRunConfig } from '../runner/planning/stored-request.js';
import { regrade as regradeRun } from '../runner/regrade.js';
import { rerun as rerunRun } from '../runner/rerun.js';
import type { RunnerDependencies } from '../runner/runner-dependencies.js';
import type { Settings } from '../settings/settings.js';
import { findStoredRun } from '../store/listing/resolve-reference.js';
import type { RunOwner } from '../store/run-owner.js';
import {
  type ExecuteOptions,
  executionOptionNames,
  GuardedListener,
  openExecution,
  readRun,
  untilEnded,
} from './execution.js';
import { checkOptions, checkWhole, checkWords } from './project.js';
import { type SelectionOptions, selectionOf, selectionOptionNames } from './selection.js';

/** How a saved run continues. Its config and params stay; what is given here comes before them. */
export interface ResumeRunOptions extends ExecuteOptions {
  /** The session in which names and `latest` are looked up. Default: all. */
  readonly session?: string;
}

/** Which results of a saved run are made again. Without a choice, all of them. */
export interface RerunResultsOptions extends ResumeRunOptions, SelectionOptions {
  /** Results of this kind; several: of any of them. */
  readonly only?: readonly ('failed' | 'errors' | 'flaky' | 'unfinished')[];
  /** At most so many cases. */
  readonly limit?: number;
  /** Leave results out of rates whose evaluation no longer exists. Default false. */
  readonly prune?: boolean;
}

/** Which results of a saved run are graded again. Without a choice, all of them. */
export interface RegradeResultsOptions extends Omit<RerunResultsOptions, 'prune'> {
  /** Also grade outputs that are not stored as the target returned them. Default false: they keep their grades. */
  readonly inexact?: boolean;
}

/** What all of these can be told. */
type AgainOptions = ResumeRunOptions & RerunResultsOptions & RegradeResultsOptions;

const resumeNames = [...executionOptionNames, 'session'];
const againNames = [...resumeNames, ...selectionOptionNames, 'only', 'limit'];

/**
 * Runs results of a saved run again, in place, with today's code, as `assay run --rerun` does; resolves to the run.
 * @throws {AssayError} `no-such-run`, `busy`, `nothing-selected`, `view-only` when the eval files no longer exist
 */
export async function rerun(
  reference: string,
  options: RerunResultsOptions = {},
): Promise<RunJson> {
  checkOptions('rerun', options, [...againNames, 'prune']);
  return runAgain(reference, options, 'rerun');
}

/**
 * Runs what of a saved run has not finished, as `assay run --resume` does; resolves to the run.
 * @throws {AssayError} those of {@link rerun}
 */
export async function resume(reference: string, options: ResumeRunOptions = {}): Promise<RunJson> {
  checkOptions('resume', options, resumeNames);
  return runAgain(reference, options, 'resume');
}

/**
 * Grades stored outputs of a saved run again without running targets, as `assay run --regrade` does; resolves to the run.
 * @throws {AssayError} those of {@link rerun}; `bad-request` when nothing of the run has finished
 */
export async function regrade(
  reference: string,
  options: RegradeResultsOptions = {},
): Promise<RunJson> {
  checkOptions('regrade', options, [...againNames, 'inexact']);
  return runAgain(reference, options, 'regrade');
}

async function runAgain(
  reference: string,
  options: AgainOptions,
  kind: 'rerun' | 'resume' | 'regrade',
): Promise<RunJson> {
  const events = new GuardedListener(options.onEvent);
  const { cwd, settings, runner, work } = await openExecution(options, (event) =>
    events.onEvent(event, 0),
  );
  const { session, signal } = options;
  const owner = await runner.store.ownRun(
    await findStoredRun(runner.store, reference, { cwd, session }),
  );
  const { run } = owner;
  const read = () => readRun(run.snapshot());
  const started = await begin(runner, owner, options, { kind, cwd, settings, work }).catch(
    async (error: unknown) => {
      await run.close();
      throw error;
    },
  );
  if (started === undefined) return read().finally(() => run.close());
  return untilEnded([started], { events, signal }, read);
}

interface Again {
  readonly kind: 'rerun' | 'resume' | 'regrade';
  readonly cwd: string;
  readonly settings: Settings;
  readonly work: Awaited<ReturnType<typeof openExecution>>['work'];
}

/** Starts what is asked for; `undefined` where there is nothing to do. The run is released then, and after an error. */
async function begin(
  runner: RunnerDependencies,
  owner: RunOwner,
  options: AgainOptions,
  { kind, cwd, settings, work }: Again,
): Promise<Started | undefined> {
  const { env } = runner;
  const chosen = await chooseRows(owner, options, { kind, cwd, settings, env }).catch(
    async (error: unknown) => {
      await owner.release();
      throw error;
    },
  );
  if (chosen.indices !== 'all' && chosen.indices.length === 0) {
    await owner.release();
    return undefined;
  }
  const { signal, prune = false, inexact = false } = options;
  const all = { ...work, ...chosen, owner, signal };
  const { started } =
    kind === 'regrade'
      ? await regradeRun(runner, { ...all, acceptsInexact: inexact })
      : await rerunRun(runner, { ...all, kind, onGone: 'leave', prune });
  return started;
}

async function chooseRows(
  { run }: RunOwner,
  options: AgainOptions,
  { kind, cwd, settings, env }: Omit<Again, 'work'> & Pick<RunnerDependencies, 'env'>,
) {
  const limit = checkWhole('limit', options.limit);
  // In a run that has not started, no row counts as unfinished, and some may be missing.
  const unfinished = run.state === 'not_started' ? [] : (['unfinished'] as const);
  const filter = {
    ...selectionOf(options),
    ...{ cwd, runName: run.header.run_name, refused: run.refused },
    only: kind === 'resume' ? unfinished : checkWords('only', options.only, rowKinds),
    ...(limit !== undefined && { limit }),
  };
  const indices = await savedRunRows(run.snapshot(), filter);
  const config = savedRunConfig(run.header, settings, env);
  return { indices, isFreeChoice: isFreeChoice(run.rows, filter), config };
}
