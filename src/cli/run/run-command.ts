import { AssayError } from '../../errors.js';
import { exitCode } from '../../model/exit-code.js';
import type { GateVerdict } from '../../model/gates/gate-verdict.js';
import { type Shard, shardText } from '../../model/shard.js';
import { loadPrices } from '../../model-calls/prices.js';
import type { RunRequest } from '../../runner/discovery/discover.js';
import type { RunEvent } from '../../runner/events.js';
import type { Started } from '../../runner/execution/begin-execution.js';
import type { ExecutionOutcome } from '../../runner/execution/execution.js';
import type { MakeExecutor } from '../../runner/executor.js';
import { listEvaluations } from '../../runner/list-evaluations.js';
import { LocalExecutor } from '../../runner/local/local-executor.js';
import { openRunner } from '../../runner/open-runner.js';
import type { ReadParams } from '../../runner/planning/params.js';
import type { RunnerDependencies } from '../../runner/runner-dependencies.js';
import { startRun } from '../../runner/start-run.js';
import { resolveRunConfig } from '../../settings/resolve-run-config.js';
import type { Settings } from '../../settings/settings.js';
import { findStoredRun } from '../../store/listing/resolve-reference.js';
import { countOf } from '../../text/count-text.js';
import { shellWord } from '../../text/shell-word.js';
import type { RedisExecutors } from '../../workers/open-redis-executors.js';
import { checkOutputFile } from '../output-file.js';
import { type ExecutionFlags, isLatestRun } from '../report/report-options.js';
import type { PlannedRuns } from '../reporters/comment.js';
import { askedOf, isAsking } from '../selection-flags.js';
import { EarlyInterrupt, type Interrupt, onInterrupt } from '../signals.js';
import { isSet } from '../switch-variable.js';
import { type Begun, beginSavedRun, beginWithConfig } from './begin-saved-run.js';
import { type ParsedGates, parseGates } from './gate-flags.js';
import { judgeRun, limitVerdicts, rubricsNow } from './judge-run.js';
import { executionSettings, type RunCommandOptions } from './run-command-options.js';
import { inspectingOf, recordingsFlag } from './run-flags.js';
import { type FollowUp, openFollowUp } from './run-follow-up.js';
import { RunOutput, type RunOutputOptions } from './run-output.js';
import { makeTemporaryResults } from './temporary-results.js';
import type { AskedVariants } from './variant-flags.js';

/** Runs `assay run` of one run, and returns its exit code. */
export async function runCommand(options: RunCommandOptions): Promise<number> {
  const { flags } = options;
  const gates = parseGates(flags, options.settings.effective('capture').value);
  checkVerified(flags);
  await checkOutputs(flags);
  const follow = await openFollowUp({ ...options, planned: plannedRuns(options) });
  const output = openOutput(options);
  for (const problem of follow.problems) output.note(problem);
  const temporary = flags['no-save'] ? makeTemporaryResults() : undefined;
  // A saved run is unchanged until its execution begins, so a signal may end the process right away.
  const early = isNewRun(flags) ? new EarlyInterrupt() : undefined;
  let executors: RedisExecutors | undefined;
  try {
    executors = await openExecutors(options, output);
    const recordsCalls = options.settings.effective('recordings').value !== 'off';
    const onEvent = (event: RunEvent) => {
      if (event.type === 'importing') setImmediate(prepareRun, output, recordsCalls);
      output.onEvent(event);
    };
    const runner = await openCommandRunner(options, onEvent, temporary?.folder, executors);
    output.redact = runner.redact;
    if (flags.list) {
      const bases = await changedSince(runner, options);
      await output.list(
        await listEvaluations(runner, { ...startOptions(options, follow), ...bases }),
      );
      return 0;
    }
    if (flags.explain !== undefined) {
      const { explain } = await import('./explain.js');
      const changedSince = await basesOf(runner, options);
      const started = { ...startOptions(options, follow), changedSince };
      await output.explain(await explain(runner, started, flags.explain));
      return 0;
    }
    const begun = await begin(runner, options, follow, early?.signal);
    const { run, started, remarks } = begun;
    output.run = run;
    output.skippedInexact = begun.skippedInexact;
    output.calls = started?.execution.calls;
    // If nothing is left to run, the run is judged and reported as it is.
    if (started === undefined) await executors?.forget(run.runId);
    const done = started === undefined ? nothingRan : untilDone([started], output);
    // Only now: without a listener, a signal that is pending here would be lost.
    temporary?.leaveSignals();
    early?.leave();
    const { signal, outcome } = await done;
    for (const remark of remarks) output.note(remark);
    const { shard } = run.header;
    const isJudged = outcome !== 'stopped' && shard === undefined;
    const comparison = isJudged ? await follow.compare(run) : undefined;
    if (shard !== undefined && hasGates(gates)) output.note(laterText(shard));
    const verdicts =
      outcome === 'stopped'
        ? []
        : [
            ...(isJudged
              ? judgeRun(gates, run, comparison, rubricsNow(run, options.settings))
              : []),
            ...limitVerdicts(
              [run],
              started?.execution.calls,
              run.runId,
              executionFlags(flags).resume,
            ),
            ...offlineVerdict(options.settings, started?.execution.notRecorded),
          ];
    const isLatest = !flags['no-save'] && (await isLatestRun(runner.store, run));
    const waited = started?.execution.calls?.waited;
    await output.report(run, verdicts, comparison, { waited, isLatest });
    const { isUpToDate } = output;
    await follow.report({ run, verdicts, comparison, isUpToDate }, outcome);
    await output.writeData(run);
    return exitCode({ ...(signal === undefined ? {} : { signal }), gates: verdicts });
  } catch (error) {
    if (early?.caught === undefined) throw error;
    return exitCode({ signal: early.caught, gates: [] });
  } finally {
    early?.leave();
    output.end();
    await follow.close();
    await executors?.close();
    temporary?.remove();
  }
}

/** What is going to run, by its flags. */
export function plannedRuns({ flags, variants }: RunCommandOptions): PlannedRuns {
  const { session = 'default', 'run-config': configs = ['default'] } = flags;
  return { session, configs, isGroup: variants !== undefined && variants.count > 1 };
}

/** Reads the flags that ask for other params, if there are any. Errors: those of `askedVariants`, `usage`. */
export async function withVariants(options: RunCommandOptions): Promise<RunCommandOptions> {
  const { param, variants, base, 'run-config': configs = [], watch } = options.flags;
  const { rerun, resume, regrade } = options.flags;
  if (param === undefined && variants === undefined && configs.length < 2) {
    if (base === undefined) return options;
    throw new AssayError('usage', '--base names one of several variants, and there is one run.');
  }
  const { askedVariants } = await import('./variant-flags.js');
  const asked = await askedVariants(options.flags);
  if (asked.count > 1) {
    const saved = rerun ?? resume ?? regrade;
    if (saved !== undefined)
      throw new AssayError('usage', 'A saved run runs again with one run config.');
    if (watch)
      throw new AssayError('usage', '--watch is for one run, and not for several variants.');
  }
  return { ...options, variants: asked };
}

/** A run with --offline promises that everything is recorded. */
export function offlineVerdict(settings: Settings, notRecorded = 0): GateVerdict[] {
  if (settings.effective('recordings').value !== 'offline' || notRecorded === 0) return [];
  const is = notRecorded === 1 ? 'is' : 'are';
  const text = `offline: ${countOf(notRecorded, 'request')} ${is} not recorded: assay run --record`;
  return [{ verdict: 'no', text }];
}

export function hasGates({ own, baseline }: ParsedGates): boolean {
  return own.length + baseline.length > 0;
}

/** What becomes of the gates of a part. */
export function laterText(shard: Shard): string {
  return `${shardText(shard)}: its gates are judged after the merge: assay sessions merge PART…`;
}

/** The end of an execution. */
interface Done {
  readonly outcome: ExecutionOutcome;
  /** The signal that stopped it. */
  readonly signal?: Interrupt;
}

const nothingRan: Done = { outcome: 'finished' };

/** Waits for an execution. The first signal stops it gracefully, the second exits immediately. */
export async function untilDone(
  started: readonly Started[],
  output: Pick<RunOutput, 'note' | 'end'>,
): Promise<Done> {
  let first: Interrupt | undefined;
  const stopListening = onInterrupt((signal) => {
    if (first !== undefined) {
      output.end();
      process.exit(exitCode({ signal: first, gates: [] }));
    }
    first = signal;
    output.note('Stopping; finished results are saved. Ctrl-C again ends it at once.');
    for (const { execution } of started) execution.stop();
  });
  try {
    const ended = await Promise.allSettled(started.map(({ finished }) => finished));
    const outcomes = ended.map((one) => {
      if (one.status === 'rejected') throw one.reason;
      return one.value;
    });
    const outcome = outcomes.includes('stopped') ? 'stopped' : 'finished';
    return { outcome, ...(first === undefined ? {} : { signal: first }) };
  } finally {
    stopListening();
  }
}

function isNewRun(flags: RunCommandOptions['flags']): boolean {
  return savedRun(flags) === undefined && !isLook(flags);
}

/** True for flags with which nothing runs. */
function isLook({ list, explain }: RunCommandOptions['flags']): boolean {
  return list || explain !== undefined;
}

/** The saved run to execute again, if any. */
export function savedRun({
  rerun,
  resume,
  regrade,
}: RunCommandOptions['flags']): string | undefined {
  return rerun ?? resume ?? regrade;
}

/** Error: `usage` for a gate on results that nothing verifies. */
export function checkVerified({
  'fail-on': failOn = [],
  verify,
}: RunCommandOptions['flags']): void {
  if (!failOn.includes('carried-wrongly') || verify !== undefined) return;
  throw new AssayError('usage', '--fail-on carried-wrongly needs --changed --verify.', {
    hints: ['Such as --verify 5%, which runs 5 % of the carried results again.'],
  });
}

async function checkOutputs({ output: file }: RunCommandOptions['flags']): Promise<void> {
  if (file === undefined || file === '-') return;
  const { formatOfFile } = await import('../../exporters/index.js');
  formatOfFile(file);
  await checkOutputFile(file);
}

/** The output that the flags ask for. */
export function openOutput(
  { flags, json, settings, paths }: RunCommandOptions,
  more: Pick<RunOutputOptions, 'title' | 'hint'> = {},
): RunOutput {
  const resultsDir = flags['results-dir'];
  return new RunOutput({
    json,
    file: flags.output,
    saved: !flags['no-save'],
    onlyChanged: flags.changed === true || flags.only?.includes('changed') === true,
    checksAll: flags.changed === true || !isFiltered({ flags, paths }),
    verbose: settings.effective('verbose').value,
    repeatedFlags: resultsDir === undefined ? '' : `--results-dir ${shellWord(resultsDir)}`,
    executionFlags: executionFlags(flags),
    ...more,
  });
}

/** True if only a part of a saved run is selected. */
function isFiltered({ flags, paths }: Pick<RunCommandOptions, 'flags' | 'paths'>): boolean {
  return paths.length > 0 || flags.limit !== undefined || isAsking(flags);
}

export function executionFlags(flags: RunCommandOptions['flags']): ExecutionFlags {
  const recordings = recordingsFlag(flags);
  const redis =
    flags.redis === undefined ? [] : [`--redis ${shellWord(withoutLogin(flags.redis))}`];
  const withMode = (mode: string | undefined) =>
    [...(mode === undefined ? [] : [`--${mode}`]), ...redis].join(' ');
  return {
    rerun: withMode(recordings?.replace('-', '=')),
    // What has been recorded is not called again.
    resume: withMode(recordings?.replace('-all', '')),
  };
}

/** A URL without user and password, which come from the environment. */
function withoutLogin(url: string): string {
  return url.replace(/^(\w+:\/\/)[^/]*@/, '$1');
}

/** The workers of a queue, where the settings name one. */
export async function openExecutors(
  { settings, flags }: RunCommandOptions,
  output: Pick<RunOutput, 'note'>,
): Promise<RedisExecutors | undefined> {
  const url = settings.effective('redis').value;
  if (url === null || isLook(flags) || inspectingOf(flags) !== undefined) return undefined;
  for (const note of redisNotes(flags)) output.note(note);
  const { openRedisExecutors } = await import('../../workers/open-redis-executors.js');
  return openRedisExecutors(url, process.cwd(), (text) => output.note(text), {
    anyNode: flags['any-node'],
  });
}

/** What flags mean for a run on workers, where that is not what they say. */
function redisNotes(flags: RunCommandOptions['flags']): string[] {
  return [
    ...(flags.concurrency === undefined
      ? []
      : ['--concurrency has no effect with --redis: each worker has its own.']),
    ...(recordingsFlag(flags)?.startsWith('record')
      ? [
          'With --redis, calls are recorded in the checkout of the worker that makes them, not here.',
        ]
      : []),
  ];
}

/** Opens the runner of a command; `watches`: it reports what evaluations touch. */
export async function openCommandRunner(
  { settings, addedEnv, flags, paths }: RunCommandOptions,
  onEvent: (event: RunEvent) => void,
  temporary: string | undefined,
  executors?: RedisExecutors,
): Promise<RunnerDependencies> {
  const inspect = inspectingOf(flags);
  const alone = { concurrency: 1, workers: 1, isolate: false, inspect };
  const makeExecutor: MakeExecutor | undefined =
    inspect === undefined
      ? executors?.makeExecutor
      : (given) => new LocalExecutor({ ...given, ...alone });
  return openRunner({
    ...(makeExecutor && { makeExecutor }),
    cwd: process.cwd(),
    env: process.env,
    addedEnv,
    resultsDir: temporary ?? settings.effective('results_dir').value,
    recordingsDir: settings.effective('recordings_dir').value,
    named: paths,
    watches: flags.watch,
    onEvent,
  });
}

/** Starts what the flags ask for: a new run, or a saved one. */
export async function begin(
  runner: RunnerDependencies,
  options: RunCommandOptions,
  follow: Pick<FollowUp, 'latencies'>,
  signal: AbortSignal | undefined,
): Promise<Begun> {
  const { flags } = options;
  const reference = savedRun(flags);
  if (reference === undefined) {
    const bases = await changedSince(runner, options);
    return begunWith(
      await startRun(runner, { ...startOptions(options, follow), ...bases, signal }),
    );
  }
  const runId = await findStoredRun(runner.store, reference, {
    cwd: runner.cwd,
    session: flags.session,
  });
  const [config] = flags['run-config'] ?? [];
  const started =
    config === undefined ? undefined : await beginWithConfig(runner, runId, config, options);
  return started === undefined ? beginSavedRun(runner, runId, options) : begunWith(started);
}

/** The runs whose results may be carried over, if only what has changed is to run. */
export async function changedSince(
  runner: RunnerDependencies,
  options: RunCommandOptions,
): Promise<{ readonly changedSince?: readonly string[] }> {
  const { flags, settings } = options;
  if (!flags.changed) return {};
  if (flags.verify !== undefined && settings.effective('capture').value === 'off') {
    throw new AssayError(
      'usage',
      '--verify needs to see which results call a model, and the setting capture is off.',
      { hints: ['Set capture to usage, which stores numbers without text.'] },
    );
  }
  if (flags['no-save']) {
    throw new AssayError(
      'usage',
      '--changed cannot be used with --no-save: a run that is not saved has no session with earlier results.',
    );
  }
  return { changedSince: await basesOf(runner, options) };
}

function neitherRunNorRevision({ message, hints }: AssayError): AssayError {
  return new AssayError('no-such-run', message, {
    hints: [...hints, 'git knows no such revision here either.'],
  });
}

/** Ids of the runs whose results may be carried over, the newest first. */
async function basesOf(
  { store, cwd, onEvent }: RunnerDependencies,
  { flags: { session, since } }: RunCommandOptions,
): Promise<readonly string[]> {
  if (since !== undefined) {
    try {
      return [await findStoredRun(store, since, { cwd, session })];
    } catch (error) {
      if (!(error instanceof AssayError) || error.code !== 'no-such-run') throw error;
      const { runsSince } = await import('../../runner/changes/since-revision.js');
      const found = await runsSince(cwd, since, await store.listRuns());
      if (found === undefined) throw neitherRunNorRevision(error);
      if (found.note !== undefined) onEvent({ type: 'warned', text: found.note });
      return found.ids;
    }
  }
  const runs = await store.listRuns(session ?? 'default');
  return runs.map(({ run_id }) => run_id);
}

function begunWith(started: Started): Begun {
  return { run: started.owner.run, started, remarks: [] };
}

/** What a new run is started with. */
export function startOptions(
  options: RunCommandOptions,
  { latencies }: Pick<FollowUp, 'latencies'>,
) {
  const { flags, settings, paths } = options;
  const request: RunRequest = {
    paths,
    ignore: flags.ignore ?? [],
    ...askedOf(flags),
    ...(flags.limit === undefined ? {} : { limit: flags.limit }),
    ...(flags.shard && { shard: flags.shard }),
  };
  return {
    ...executionSettings(options, resolveRunConfig(settings, flags['run-config']?.[0])),
    request,
    latencies,
    sessionName: flags.session ?? 'default',
    ...(flags['run-name'] === undefined ? {} : { runName: flags['run-name'] }),
    allowOnly: flags['allow-only'] || !isSet(process.env.CI),
    verify: flags.verify,
    ...(options.variants && { readParams: readParamsOf(options.variants) }),
  };
}

/** The params of the only variant. */
function readParamsOf({ read }: AskedVariants): ReadParams {
  return (declared) => read(declared)[0]?.params ?? {};
}

/**
 * Prepares for later steps of a run while its files are being imported and this process is idle. A run that records or
 * replays calls has calls to price.
 */
function prepareRun(output: RunOutput, recordsCalls: boolean): void {
  delayOptimising();
  // Slow to load; needed for names and locks of runs.
  process.getBuiltinModule('node:crypto');
  // A module that cannot be loaded is reported when it is needed.
  output.prepareReport().catch(() => undefined);
  // While it is being loaded, hosts could not report anything.
  if (recordsCalls) void loadPrices();
}

/** On Node 20, delays the optimising compiler, which would take processor time from the host. */
function delayOptimising(): void {
  if (!process.versions.v8.startsWith('11.')) return;
  process.getBuiltinModule('node:v8').setFlagsFromString('--interrupt-budget=400000');
}
