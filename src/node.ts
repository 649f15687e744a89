import { resolve } from 'node:path';
import type { VariantComparison } from './compare/variants/compare-variants.js';
import { AssayError } from './errors.js';
import type { JsonObject } from './model/result.js';
import type { RunJson } from './model/run.js';
import type { RunEvent, RunListener } from './runner/events.js';
import { openRunner } from './runner/open-runner.js';
import { startGroup } from './runner/start-group.js';
import { startRun } from './runner/start-run.js';
import { loadDotEnv } from './settings/dot-env.js';
import { loadSettings } from './settings/load-settings.js';
import { resolveRunConfig } from './settings/resolve-run-config.js';
import { type SettingKey, type SettingValues, settingTable } from './settings/setting-table.js';
import type { StoredRun } from './store/stored-run.js';
import { didYouMean } from './text/near-names.js';

export type { ErrorCode } from './errors.js';
export { AssayError } from './errors.js';
export type {
  Correction,
  Json,
  JsonObject,
  Result,
  ResultEntry,
  ResultStatus,
} from './model/result.js';
export type { RunJson, RunState, TrialStatistics } from './model/run.js';
export type { Score } from './model/scores/score.js';
export type { FinishedResult, RunEvent, RunListener } from './runner/events.js';
export type { Estimate } from './statistics/bounds.js';

export interface RunEvaluationsOptions {
  /** Files, folders or globs, each with an optional `::name` or `::name[case]`. Default: the working directory. */
  readonly paths?: string | readonly string[];
  /** Working directory of evaluations and of relative paths. Default: that of the process. */
  readonly cwd?: string;
  /** Only evaluations of one of these datasets. */
  readonly datasets?: readonly string[];
  /** Only evaluations with one of these labels. */
  readonly labels?: readonly string[];
  /** At most so many evaluations, cases counted. */
  readonly limit?: number;
  /** Globs of files to leave out. */
  readonly ignore?: readonly string[];
  /** Evaluations in flight, 1 to 1000. Default: the settings', 8. */
  readonly concurrency?: number;
  /** Number of processes. Default 1, or one for each variant if they read files. */
  readonly workers?: number;
  /** A process of its own for every attempt. Default: the settings', false. */
  readonly isolate?: boolean;
  /** Budget of the run in US dollars; when it is spent, the rest is cancelled. Default: the settings', no limit. */
  readonly maxCost?: number;
  /** Seconds for one attempt; overrides the evaluations. */
  readonly timeout?: number;
  /** Trials of every evaluation, 1 to 1000; overrides the evaluations. */
  readonly trials?: number;
  /** Run config of the settings file. Default `default`. */
  readonly runConfig?: string;
  /** Params over those of the run config. Default: none. */
  readonly params?: JsonObject;
  /** Session of the run. Default `default`. */
  readonly session?: string;
  /** Default: a friendly name. */
  readonly runName?: string;
  /** Results directory, relative to `cwd`. Default: the settings'. */
  readonly resultsDir?: string;
  /** Settings file, relative to `cwd`. Default `assay.yaml` when there is one. */
  readonly settings?: string;
  /** Stops the run: unfinished evaluations are cancelled, finished results are kept and returned. */
  readonly signal?: AbortSignal;
  /** Called for everything that happens; results are in the log by then. */
  readonly onEvent?: RunListener;
}

/** A variant of {@link runEvaluations}. */
export interface VariantOptions {
  /** Name of its run. Default: what differs from the others. */
  readonly name?: string;
  /** Over the params of all. */
  readonly params?: JsonObject;
  /** Run config of the settings file. Default: that of all. */
  readonly runConfig?: string;
}

export interface RunVariantsOptions extends Omit<RunEvaluationsOptions, 'runName' | 'onEvent'> {
  /** 1 to 12; the first is the base of the others. */
  readonly variants: readonly VariantOptions[];
  /** Called for everything that happens, with the place of the run among the variants. */
  readonly onEvent?: (event: RunEvent, place: number) => void;
}

/** The runs of several variants; that of the base first. */
export interface RunGroupJson {
  /** Name that they have in common. */
  readonly group: string;
  readonly runs: readonly RunJson[];
  /** How they compare with the base. */
  readonly comparison: VariantComparison;
}

/**
 * Runs several variants together, as `assay run --param` does, and resolves to their run JSON and comparison.
 * @throws {AssayError} as the other form
 */
export function runEvaluations(options: RunVariantsOptions): Promise<RunGroupJson>;
/**
 * Does what `assay run` does and resolves to the run JSON.
 * @throws {AssayError} when the run cannot start (`code` says why) or its results cannot be stored
 */
export function runEvaluations(options?: RunEvaluationsOptions): Promise<RunJson>;
export async function runEvaluations(
  options: RunEvaluationsOptions | RunVariantsOptions = {},
): Promise<RunJson | RunGroupJson> {
  checkOptions(options);
  const cwd = resolve(options.cwd ?? process.cwd());
  const addedEnv = loadDotEnv({ cwd, env: process.env });
  const settings = await loadSettings({
    cwd,
    env: { ...process.env, ...addedEnv },
    file: options.settings,
    flags: {
      concurrency: checkSetting('concurrency', options.concurrency),
      timeout: checkSetting('timeout', options.timeout),
      trials: checkSetting('trials', options.trials),
      isolate: checkSetting('isolate', options.isolate),
      max_cost: checkSetting('max_cost', options.maxCost),
      results_dir: options.resultsDir,
    },
  });
  const listener = new GuardedListener(options.onEvent as GuardedListener['onEvent'] | undefined);
  const runner = await openRunner({
    cwd,
    env: process.env,
    addedEnv,
    resultsDir: settings.effective('results_dir').value,
    recordingsDir: settings.effective('recordings_dir').value,
    onEvent: (event) => listener.onEvent(event, 0),
  });
  const { params = {} } = options;
  const toStart = {
    request: toRequest(options),
    sessionName: options.session ?? 'default',
    config: resolveRunConfig(settings, options.runConfig),
    workers: checkWhole('workers', options.workers, 64),
    streamLogs: options.onEvent !== undefined,
    signal: options.signal,
  };
  const first =
    'variants' in options
      ? await startGroup(runner, {
          ...toStart,
          runs: options.variants.length,
          readVariants: () =>
            options.variants.map((one) => ({ ...one, params: { ...params, ...one.params } })),
          configOf: (name) => resolveRunConfig(settings, name),
          onEvent: listener.onEvent,
        })
      : await startRun(runner, {
          ...toStart,
          ...(options.runName !== undefined && { runName: options.runName }),
          ...(options.params && { readParams: () => params }),
        });
  const started = [first, ...(first.others ?? [])];
  const stop = () => {
    for (const { execution } of started) execution.stop();
  };
  listener.onFailure(stop);
  options.signal?.addEventListener('abort', stop);
  if (options.signal?.aborted === true) stop();
  try {
    const ended = await Promise.allSettled(started.map(({ finished }) => finished));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    listener.throwFailure();
    const runs = await Promise.all(started.map(({ owner }) => readRun(owner.run)));
    const [run] = runs;
    if (run === undefined) throw new Error('a run has started');
    if (!('variants' in options)) return run;
    const { compareGroup } = await import('./compare/variants/compare-variants.js');
    const comparison = compareGroup(started.map(({ owner }) => owner.run));
    return { group: run.group ?? '', runs, comparison };
  } finally {
    options.signal?.removeEventListener('abort', stop);
    for (const { owner } of started) await owner.run.close();
  }
}

const optionNames: ReadonlySet<string> = new Set<
  keyof RunEvaluationsOptions | keyof RunVariantsOptions
>([
  'paths',
  'cwd',
  'datasets',
  'labels',
  'limit',
  'ignore',
  'concurrency',
  'workers',
  'isolate',
  'maxCost',
  'timeout',
  'trials',
  'runConfig',
  'params',
  'variants',
  'session',
  'runName',
  'resultsDir',
  'settings',
  'signal',
  'onEvent',
]);

/** Rejects unknown options, because a typo would run something else than intended. */
function checkOptions(options: object): void {
  for (const name of Object.keys(options)) {
    if (optionNames.has(name)) continue;
    const hint = didYouMean(name, optionNames);
    throw new AssayError('usage', `runEvaluations() has no option ${name}.`, {
      hints: hint === undefined ? [] : [hint],
    });
  }
}

/** Calls the caller's listener; the first error of it stops the run and is thrown at the end. */
class GuardedListener {
  readonly #listener: ((event: RunEvent, place: number) => void) | undefined;
  #failure: { readonly error: unknown } | undefined;
  #stop: () => void = () => undefined;

  constructor(listener: ((event: RunEvent, place: number) => void) | undefined) {
    this.#listener = listener;
  }

  readonly onEvent = (event: RunEvent, place: number): void => {
    if (this.#failure !== undefined) return;
    try {
      this.#listener?.(event, place);
    } catch (error) {
      this.#failure = { error };
      this.#stop();
    }
  };

  onFailure(stop: () => void): void {
    this.#stop = stop;
    if (this.#failure !== undefined) stop();
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}

function toRequest(options: Omit<RunEvaluationsOptions, 'onEvent'>) {
  const { paths = [], datasets = [], labels = [], ignore = [] } = options;
  const limit = checkWhole('limit', options.limit);
  return {
    paths: typeof paths === 'string' ? [paths] : paths,
    datasets,
    labels,
    ignore,
    ...(limit === undefined ? {} : { limit }),
  };
}

async function readRun(run: StoredRun): Promise<RunJson> {
  const { head, entries } = run.snapshot();
  const results = [];
  for await (const { entry } of entries()) results.push(entry);
  return { ...head, results };
}

function checkWhole(name: string, value: number | undefined, max = Number.MAX_SAFE_INTEGER) {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= max)) return value;
  throw new AssayError('usage', `${name} must be a whole number from 1, not ${String(value)}.`);
}

function checkSetting<K extends SettingKey>(key: K, value: SettingValues[K] | undefined) {
  const { accepts, expected } = settingTable[key];
  if (value === undefined || accepts(value)) return value;
  throw new AssayError('usage', `${key} must be ${expected}, not ${String(value)}.`);
}
