import { AssayError } from '../errors.js';
import type { CaseFingerprint } from '../model/code/file-code.js';
import {
  caseIdOf,
  fileOf,
  identityOf,
  isFinished,
  type RowFacts,
  type RowIdentity,
} from '../model/result.js';
import type { Descriptor } from '../protocol/messages.js';
import type { PlannedRow, RunOwner } from '../store/run-owner.js';
import type { StoredRun } from '../store/stored-run.js';
import { CurrentState } from './changes/current-state.js';
import { chooseChanged } from './changes/decide-all.js';
import { filesWithOtherReads } from './changes/open-base.js';
import { storedCode } from './changes/stored-code.js';
import {
  findRequested,
  type LoadedEvals,
  loadEvals,
  type RunRequest,
} from './discovery/discover.js';
import type { DiscoveryError } from './discovery/discovery-error.js';
import { type Selection, select } from './discovery/select-evaluations.js';
import { beginExecution, type Started } from './execution/begin-execution.js';
import type { Executor } from './executor.js';
import { fingerprintOf, scheduleOf } from './planning/case-fingerprint.js';
import { withParams } from './planning/params.js';
import {
  goneError,
  isByChange,
  isWhole,
  newPassOf,
  type PlannedTrial,
  planRows,
  scoreRulesOf,
  writePlannedRows,
} from './planning/plan-rows.js';
import { parseStoredRequest, type StoredRequest } from './planning/stored-request.js';
import { takeShard } from './planning/take-shard.js';
import {
  createExecutor,
  type ExecutionSettings,
  type RunnerDependencies,
} from './runner-dependencies.js';
import { unlessAborted } from './unless-aborted.js';

export interface RerunOptions extends ExecutionSettings {
  /** The run, owned by the caller; ownership passes to the execution. */
  readonly owner: RunOwner;
  /** Rows to run; `all` also appends new evaluations. */
  readonly indices: readonly number[] | 'all';
  /** No outcome decided which rows are among `indices`: evaluations that are whole begin a new pass. Default: only with all rows. */
  readonly isFreeChoice?: boolean | undefined;
  /** Append new evaluations, and run them. Default: only with `all`. */
  readonly addsNew?: boolean | undefined;
  /** Of these rows only those whose results are out of date; what only has another grading is graded again. */
  readonly onlyChanged?: boolean | undefined;
  /** With `onlyChanged`: errors stay, too, unless something about them is out of date. Default false: they run again. */
  readonly keepsErrors?: boolean;
  /** Why rows run, by index, where it is known; `onlyChanged` finds it out. */
  readonly reasons?: ReadonlyMap<number, string> | undefined;
  /** `resume` continues an unfinished execution. */
  readonly kind: 'rerun' | 'resume';
  /** Handling of rows whose evaluation no longer exists: refuse, or leave them unchanged. */
  readonly onGone: 'refuse' | 'leave';
  /** Mark all rows whose evaluation no longer exists as pruned. */
  readonly prune?: boolean;
  /** Aborts before anything is scheduled: the run stays unchanged. */
  readonly signal?: AbortSignal | undefined;
}

type RowsToMatch = Pick<RerunOptions, 'indices' | 'config' | 'addsNew'>;

export interface Rerun {
  /** Absent when there is nothing to run. */
  readonly started?: Started;
  /** Rows of the run whose evaluation no longer exists, without those already pruned. */
  readonly gone: readonly number[];
  /** Names eval files that could not be imported, if import failures are tolerated. */
  readonly importProblem: DiscoveryError | undefined;
}

/**
 * Runs rows of a saved run again, in place, with the current code and cases. Rows keep their index.
 * @throws {AssayError} `view-only` when the eval files no longer exist
 */
export async function rerun(runner: RunnerDependencies, options: RerunOptions): Promise<Rerun> {
  const { owner } = options;
  const executor = createExecutor(
    runner,
    options,
    options.kind === 'resume' ? 'resume' : 'execute',
  );
  try {
    const discovery = await unlessAborted(
      discoverAgain(runner, owner, executor, options.onlyChanged),
      options.signal,
    );
    const { descriptors, importProblem } = discovery;
    const matched = matchRows(owner, discovery, options);
    const { config: given, keepsErrors } = options;
    const config = withParams(given, { descriptors, evaluations: descriptors }, undefined);
    const toCheck = { rows: matched, descriptors, config, keepsErrors };
    const changed =
      options.onlyChanged === true
        ? await unlessAborted(chooseChanged(runner, executor, owner.run, toCheck), options.signal)
        : undefined;
    const { rows, regraded, reasons } = changed ?? { rows: matched, reasons: options.reasons };
    const gone = goneRows(owner, discovery);
    const [prune, left] = options.prune === true ? [gone, []] : [[], gone];
    const confirmed = isWhole(owner.run.rows, options.indices) ? (changed?.confirmed ?? []) : [];
    if (options.onGone === 'refuse') refuseGone(owner, discovery, options, prune);
    if (rows.length === 0) {
      owner.prune(prune);
      if (options.onlyChanged === true || options.prune === true) owner.noteGone(left);
      owner.confirmCode(confirmed);
      executor.close();
      await owner.release();
      return { gone, importProblem };
    }
    const indices = rows.map((row) => row.index);
    const fingerprints = await fingerprintsOf(owner.run, indices);
    const planned = writePlannedRows(owner, executor, {
      ids: [...new Set(rows.map(caseIdOf))],
      rows,
      rulesOf: scoreRulesOf(descriptors, options.config.scoreRules),
      fingerprintOf: fingerprintOf(descriptors, options.config),
      isChanged: (plan) => isChanged(owner, plan, fingerprints.get(plan.index)),
    });
    await unlessAborted(planned, options.signal);
    owner.prune(prune);
    owner.noteGone(left);
    owner.confirmCode(confirmed);
    const { kind } = options;
    const { run } = owner;
    const pass = passOf(run, options, matched, gone);
    const inPass = new Set(pass.rows);
    const newPass = indices.filter(
      (index) => inPass.has(index) && changed?.repeated.has(index) !== true,
    );
    const otherFiles = pass.isNew
      ? undefined
      : await otherFilesOf(runner, executor, options, indices);
    const schedule = { kind, rows: indices, regraded, newPass, beginsPass: pass.isNew, otherFiles };
    owner.schedule({ ...schedule, ...scheduleOf(config, descriptors, runner) });
    if (changed !== undefined) {
      owner.addCode(changed.codes.map((one) => storedCode(one, config)));
    }
    const begin = { owner, executor, indices, descriptors, settings: options };
    const { codes } = changed ?? {};
    const started = beginExecution(runner, { ...begin, regraded, newPass, reasons, codes });
    return { started, gone, importProblem };
  } catch (error) {
    executor.close();
    await owner.release();
    throw error;
  }
}

/**
 * The rows that begin a new pass of their evaluations; or, where an outcome may have decided what runs, those of which no
 * attempt counts because the budget refused their calls.
 */
function passOf(
  run: StoredRun,
  { kind, indices, isFreeChoice, reasons }: RerunOptions,
  matched: readonly PlannedTrial[],
  gone: readonly number[],
): { readonly isNew: boolean; readonly rows: readonly number[] } {
  const outOfDate = isByChange(indices, reasons) ? reasons : undefined;
  const isFree = isFreeChoice ?? (outOfDate !== undefined || isWhole(run.rows, indices));
  if (kind !== 'rerun' || !isFree) {
    const refused = run.refused.filter((index) => run.rows[index]?.counted === undefined);
    return { isNew: false, rows: refused };
  }
  const left = new Set(gone);
  const isLeft = (row: RowFacts, index: number) =>
    row.status === 'not_started' ||
    left.has(index) ||
    (outOfDate !== undefined && isFinished(row) && !outOfDate.has(index));
  const chosen = matched.map(({ index }) => index);
  return { isNew: true, rows: newPassOf(run.rows, chosen, isLeft) };
}

/**
 * The eval files of rows that run beside results that count, of which something that these have looked at is different now:
 * it is another system, as with other code.
 */
async function otherFilesOf(
  runner: RunnerDependencies,
  executor: Executor,
  { owner: { run }, kind, config: { calls } }: RerunOptions,
  indices: readonly number[],
): Promise<ReadonlySet<string>> {
  const { rows } = run;
  const files = new Set(indices.flatMap((index) => rows[index] ?? []).map(fileOf));
  // What is resumed has no result that counts yet.
  const left = new Set(kind === 'resume' ? indices : []);
  const beside = rows.filter((row, index) => files.has(fileOf(row)) && !left.has(index));
  const isOffline = calls.recordings?.mode === 'offline';
  const state = new CurrentState(runner, isOffline ? calls : undefined, executor.isRemote !== true);
  return filesWithOtherReads(run, new Set(beside.map(({ id }) => id)), state);
}

/** The current evaluations for the request of a saved run. */
export interface RunEvals extends Pick<LoadedEvals, 'descriptors' | 'importProblem'> {
  /** The rows that a new run would have; empty if all are skipped. */
  readonly selected: readonly Descriptor[];
}

type HasRun = Pick<RunOwner, 'run'>;

/** Discovers the evaluations that the run was made of, in the current code. */
export async function discoverAgain(
  runner: RunnerDependencies,
  owner: HasRun,
  executor: Executor,
  findsCode = false,
): Promise<RunEvals> {
  const request = storedRequest(owner.run);
  try {
    const loaded = await loadEvals(runner, request, executor, findsCode);
    const { descriptors, importProblem } = loaded;
    return { descriptors, importProblem, selected: selectToday(owner, loaded, request) };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    if (error.code !== 'no-such-path' && error.code !== 'nothing-selected') throw error;
    throw new AssayError(
      'view-only',
      `The evaluations of ${owner.run.header.run_name} no longer exist: ${error.message}`,
      { cause: error, hints: ['Its results can be viewed and edited, but not run again.'] },
    );
  }
}

/** The stored request of a run, which is not trusted. */
export function storedRequest(run: StoredRun): StoredRequest & RunRequest {
  const { selection, shard } = run.header;
  return {
    ...parseStoredRequest(selection),
    ...(shard && { shard: { part: shard.part, of: shard.of } }),
    isStored: true,
  };
}

function selectToday(
  owner: HasRun,
  loaded: LoadedEvals,
  request: Omit<Selection, 'names' | 'empty'>,
): readonly Descriptor[] {
  try {
    return select(loaded.descriptors, { ...request, ...loaded }).evaluations;
  } catch (error) {
    const today = new Set(loaded.descriptors.map((descriptor) => descriptor.id));
    // Rows are matched by id, so this only means that there are no new ones.
    if (owner.run.rows.some((row) => today.has(caseIdOf(row)))) return [];
    throw error;
  }
}

/** The rows to run as they would be planned today, new ones included. */
export function matchRows(
  owner: HasRun,
  { descriptors, selected }: RunEvals,
  { indices, config, addsNew = indices === 'all' }: RowsToMatch,
): PlannedTrial[] {
  const byId = new Map(descriptors.map((descriptor) => [descriptor.id, descriptor]));
  const rows: PlannedTrial[] = [];
  for (const index of indices === 'all' ? owner.run.rows.keys() : indices) {
    const row = owner.run.rows[index];
    if (row === undefined) continue;
    const descriptor = byId.get(caseIdOf(row));
    if (descriptor === undefined) continue;
    if (indices !== 'all' || !descriptor.skip) rows.push(todaysRow(index, row, descriptor));
  }
  if (!addsNew) return rows;
  const known = new Set(owner.run.rows.map((row) => caseIdOf(row)));
  const unknown = newOnes(owner, selected, config).filter(({ id }) => !known.has(id));
  return [...rows, ...planRows(unknown, config.trials, owner.run.rows.length)];
}

/** The evaluations that a rerun adds, if it lacks them. A part only gets those of its own whole. */
function newOnes(
  { run }: HasRun,
  selected: readonly Descriptor[],
  config: RerunOptions['config'],
): readonly Descriptor[] {
  const { shard } = run.header;
  if (shard === undefined) return selected;
  const today = takeShard(
    { evaluations: selected, code: shard.code },
    { request: storedRequest(run), config },
  );
  const isSame = shard.balance === undefined && today.shard?.plan === shard.plan;
  return isSame ? today.evaluations : [];
}

/** Rows whose evaluation no longer exists. Files that could not be imported do not count. */
export function goneRows(owner: HasRun, { descriptors, importProblem }: RunEvals): number[] {
  const today = new Set(descriptors.map((descriptor) => descriptor.id));
  const unknown = new Set(importProblem?.failures.map(({ file }) => file));
  return [...owner.run.rows.keys()].filter((index) => {
    const row = owner.run.rows[index];
    if (row === undefined || row.pruned === true || today.has(caseIdOf(row))) return false;
    return unknown.size === 0 || !unknown.has(fileOf(row));
  });
}

/** Error: `view-only`, which names the requested rows that no longer exist and are not pruned. */
function refuseGone(
  owner: RunOwner,
  { descriptors }: RunEvals,
  { indices }: RerunOptions,
  pruned: readonly number[],
): void {
  if (indices === 'all') return;
  const today = new Set(descriptors.map((descriptor) => descriptor.id));
  const left = new Set(pruned);
  const gone = indices.flatMap((index) => {
    const row = owner.run.rows[index];
    if (row === undefined || left.has(index) || today.has(caseIdOf(row))) return [];
    return [row.id];
  });
  if (gone.length > 0) throw goneError(gone);
}

function todaysRow(
  index: number,
  row: RowIdentity,
  { evaluation, function: name, dataset, labels, cluster, line }: Descriptor,
): PlannedTrial {
  return {
    index,
    ...identityOf({ ...row, function: name, dataset, labels, cluster }),
    evaluation,
    ...(line === undefined ? {} : { line }),
  };
}

/** The fingerprints of planned rows, by index. */
async function fingerprintsOf(
  run: StoredRun,
  indices: readonly number[],
): Promise<ReadonlyMap<number, CaseFingerprint>> {
  const found = new Map<number, CaseFingerprint>();
  const known = indices.filter((index) => run.rows[index] !== undefined);
  for await (const { index, planned } of run.marks(known)) {
    if (planned !== undefined) found.set(index, planned);
  }
  return found;
}

/** True when the log has another plan for the row, or none. */
function isChanged(owner: RunOwner, plan: PlannedRow, known: CaseFingerprint | undefined): boolean {
  if (owner.run.rows[plan.index] === undefined) return true;
  const { fingerprint } = plan;
  if (fingerprint?.case !== known?.case || fingerprint?.grading !== known?.grading) return true;
  const { entry, scoreRules } = owner.run.gradedEntry(plan.index);
  const { input, reference, metadata } = entry.result;
  const { dataset, labels, cluster } = entry;
  const before = JSON.stringify([dataset, labels, cluster, input, reference, metadata, scoreRules]);
  const { dataset: set, labels: all, cluster: unit, score_rules: rules } = plan;
  return (
    before !== JSON.stringify([set, all, unit, plan.input, plan.reference, plan.metadata, rules])
  );
}

/**
 * Why a saved run can be viewed and edited, but not run or regraded; `undefined` if nothing is known to prevent it.
 * Imports nothing.
 */
export async function viewOnlyReason(
  runner: RunnerDependencies,
  run: StoredRun,
): Promise<string | undefined> {
  if (run.readOnly) return run.problems[0];
  try {
    await findRequested(runner, storedRequest(run));
    return undefined;
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return error.message;
  }
}
