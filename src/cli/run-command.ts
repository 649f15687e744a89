import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exitCode } from '../model/exit-code.js';
import { judgeGate } from '../model/gates.js';
import { chooseRows, type RowKind } from '../runner/choose-rows.js';
import type { RunRequest } from '../runner/discover.js';
import { listEvaluations } from '../runner/list-evaluations.js';
import { openRunner } from '../runner/open-runner.js';
import { regrade } from '../runner/regrade.js';
import { rerun } from '../runner/rerun.js';
import type { ExecutionSettings, Runner, Started } from '../runner/runner.js';
import { startRun } from '../runner/start-run.js';
import { parseStoredRequest } from '../runner/stored-request.js';
import { resolveRunConfig } from '../settings/run-configs.js';
import type { Settings } from '../settings/settings.js';
import type { StoredRun } from '../store/stored-run.js';
import { untilDone } from './interrupts.js';
import { parseGates } from './parse-gates.js';
import { RunOutput } from './run-output.js';
import { findStoredRun } from './run-reference.js';

/** The flags of `assay run`, parsed. */
export interface RunCommandFlags {
  readonly dataset?: readonly string[] | undefined;
  readonly label?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly list: boolean;
  readonly 'allow-only': boolean;
  readonly workers?: number | undefined;
  readonly 'run-config'?: string | undefined;
  readonly session?: string | undefined;
  readonly 'run-name'?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly rerun?: string | undefined;
  readonly resume?: string | undefined;
  readonly regrade?: string | undefined;
  readonly only?: readonly RowKind[] | undefined;
  readonly 'no-save': boolean;
  readonly output?: string | undefined;
  readonly 'fail-under'?: readonly string[] | undefined;
  readonly 'fail-on'?: readonly string[] | undefined;
  readonly 'results-dir'?: string | undefined;
}

export interface RunCommandOptions {
  readonly paths: readonly string[];
  readonly flags: RunCommandFlags;
  readonly settings: Settings;
  readonly addedEnv: { readonly [name: string]: string };
  readonly json: boolean;
}

/** What is run, and what to say when there is nothing to run. */
type Begun = { readonly started: Started } | { readonly run: StoredRun; readonly nothing: string };

/** Carries out `assay run` and returns its exit code. */
export async function runCommand(options: RunCommandOptions): Promise<number> {
  const { flags } = options;
  const gates = parseGates(flags['fail-under'] ?? [], flags['fail-on'] ?? []);
  const output = openOutput(options);
  const temporary = flags['no-save'] ? await mkdtemp(join(tmpdir(), 'assay-')) : undefined;
  try {
    const runner = await openCommandRunner(options, output, temporary);
    if (flags.list) {
      await output.list(await listEvaluations(runner, startOptions(options)));
      return 0;
    }
    const begun = await begin(runner, options);
    if ('nothing' in begun) {
      await output.nothingToDo(begun.run, begun.nothing);
      return 0;
    }
    const { run } = begun.started.owner;
    output.run = run;
    const { signal, outcome } = await untilDone(begun.started, output.note);
    const verdicts =
      outcome === 'stopped' ? [] : gates.map((gate) => judgeGate(gate, run.summary()));
    await output.report(run, verdicts);
    return exitCode({ ...(signal === undefined ? {} : { signal }), gates: verdicts });
  } finally {
    output.end();
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

function openOutput({ flags, json, settings }: RunCommandOptions): RunOutput {
  const resultsDir = flags['results-dir'];
  return new RunOutput({
    json,
    file: flags.output,
    saved: !flags['no-save'],
    verbose: flags.verbose ?? settings.effective('verbose').value,
    cwd: process.cwd(),
    repeatedFlags: resultsDir === undefined ? '' : `--results-dir ${quoted(resultsDir)}`,
  });
}

async function openCommandRunner(
  { settings, addedEnv }: RunCommandOptions,
  output: RunOutput,
  temporary: string | undefined,
): Promise<Runner> {
  const runner = await openRunner({
    cwd: process.cwd(),
    env: process.env,
    addedEnv,
    resultsDir: temporary ?? settings.effective('results_dir').value,
    onEvent: output.onEvent,
  });
  output.redact = runner.redact;
  return runner;
}

/** As it can be pasted into a shell. */
function quoted(text: string): string {
  return /^[\w./@:+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

async function begin(runner: Runner, options: RunCommandOptions): Promise<Begun> {
  const { flags } = options;
  const reference = flags.rerun ?? flags.resume ?? flags.regrade;
  if (reference === undefined) return { started: await startRun(runner, startOptions(options)) };
  const runId = await findStoredRun(runner.store, reference, {
    cwd: runner.cwd,
    session: flags.session,
  });
  return beginOn(runner, runId, options);
}

/** Rerun, resume or regrade of a saved run, in place. */
async function beginOn(runner: Runner, runId: string, options: RunCommandOptions): Promise<Begun> {
  const { flags, paths } = options;
  const owner = await runner.store.ownRun(runId);
  const { run } = owner;
  const { dataset: datasets = [], label: labels = [], limit } = flags;
  const only = flags.resume === undefined ? (flags.only ?? []) : (['unfinished'] as const);
  const filter = { only, datasets, labels, paths, ...(limit === undefined ? {} : { limit }) };
  const isFiltered = [only, datasets, labels, paths].some((one) => one.length > 0) || limit;
  const indices = isFiltered ? chooseRows(run.rows, filter) : ('all' as const);
  if (indices.length === 0) {
    await owner.release();
    const what = only.length === 0 ? 'matches the filters' : `is ${only.join(' or ')}`;
    return { run, nothing: `Nothing of ${run.header.run_name} ${what}: there is nothing to do.` };
  }
  const settings = savedRunSettings(run, options);
  if (flags.regrade !== undefined) {
    const { started, skippedWithoutTarget } = await regrade(runner, {
      ...settings,
      owner,
      indices,
    });
    if (started !== undefined) return { started };
    const skipped = `${skippedWithoutTarget} have no target`;
    return { run, nothing: `Nothing to grade again: no stored output (${skipped}).` };
  }
  const kind = flags.resume === undefined ? 'rerun' : 'resume';
  const { started } = await rerun(runner, { ...settings, owner, indices, kind, onGone: 'leave' });
  if (started !== undefined) return { started };
  return { run, nothing: 'The evaluations of these results are gone: there is nothing to run.' };
}

function startOptions(options: RunCommandOptions) {
  const { flags, settings, paths } = options;
  const request: RunRequest = {
    paths,
    ignore: flags.ignore ?? [],
    datasets: flags.dataset ?? [],
    labels: flags.label ?? [],
    ...(flags.limit === undefined ? {} : { limit: flags.limit }),
  };
  return {
    ...executionSettings(options, resolveRunConfig(settings, flags['run-config'])),
    request,
    sessionName: flags.session ?? 'default',
    ...(flags['run-name'] === undefined ? {} : { runName: flags['run-name'] }),
    allowOnly: flags['allow-only'] || (process.env.CI ?? '') === '',
  };
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

function executionSettings(
  { flags, settings }: RunCommandOptions,
  config: ExecutionSettings['config'],
): ExecutionSettings {
  return {
    config,
    workers: flags.workers ?? 1,
    streamLogs: flags.verbose ?? settings.effective('verbose').value,
  };
}
