import type { VariantComparison } from '../compare/variants/compare-variants.js';
import type { JsonObject } from '../model/result.js';
import type { RunJson } from '../model/run.js';
import type { RunEvent } from '../runner/events.js';
import { startGroup } from '../runner/start-group.js';
import { startRun } from '../runner/start-run.js';
import { resolveRunConfig } from '../settings/resolve-run-config.js';
import {
  type ExecuteOptions,
  executionOptionNames,
  GuardedListener,
  openExecution,
  readRun,
  untilEnded,
} from './execution.js';
import { checkOptions, checkWhole } from './project.js';

export interface RunEvaluationsOptions extends ExecuteOptions {
  /** Files, folders or globs, each with an optional `::name` or `::name[case]`. Default: the working directory. */
  readonly paths?: string | readonly string[];
  /** Only evaluations of one of these datasets. */
  readonly datasets?: readonly string[];
  /** Only evaluations with one of these labels. */
  readonly labels?: readonly string[];
  /** At most so many evaluations, cases counted. */
  readonly limit?: number;
  /** Globs of files to leave out. */
  readonly ignore?: readonly string[];
  /** Run config of the settings file. Default `default`. */
  readonly runConfig?: string;
  /** Params over those of the run config. Default: none. */
  readonly params?: JsonObject;
  /** Session of the run. Default `default`. */
  readonly session?: string;
  /** Default: a friendly name. */
  readonly runName?: string;
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
  checkOptions('runEvaluations', options, optionNames);
  const events = new GuardedListener(options.onEvent as GuardedListener['onEvent'] | undefined);
  const { runner, settings, work } = await openExecution(options, (event) =>
    events.onEvent(event, 0),
  );
  const { params = {} } = options;
  const toStart = {
    ...work,
    request: toRequest(options),
    sessionName: options.session ?? 'default',
    config: resolveRunConfig(settings, options.runConfig),
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
          onEvent: events.onEvent,
        })
      : await startRun(runner, {
          ...toStart,
          ...(options.runName !== undefined && { runName: options.runName }),
          ...(options.params && { readParams: () => params }),
        });
  const started = [first, ...(first.others ?? [])];
  return untilEnded(started, { events, signal: options.signal }, async () => {
    const runs = await Promise.all(started.map(({ owner }) => readRun(owner.run.snapshot())));
    const [run] = runs;
    if (run === undefined) throw new Error('a run has started');
    if (!('variants' in options)) return run;
    const { compareGroup } = await import('../compare/variants/compare-variants.js');
    const comparison = compareGroup(started.map(({ owner }) => owner.run));
    return { group: run.group ?? '', runs, comparison };
  });
}

const optionNames = [
  ...executionOptionNames,
  ...['paths', 'datasets', 'labels', 'limit', 'ignore', 'runConfig', 'params', 'variants'],
  ...['session', 'runName'],
];

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
