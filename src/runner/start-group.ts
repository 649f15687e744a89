import { AssayError } from '../errors.js';
import type { ResolvedRunConfig } from '../settings/resolve-run-config.js';
import { newRunId } from '../store/create-run.js';
import { didYouMean } from '../text/near-names.js';
import { discover } from './discovery/discover.js';
import type { Started } from './execution/begin-execution.js';
import { type DeclaredParams, declaredParams } from './planning/params.js';
import { friendlyName } from './planning/plan-run.js';
import type { RunnerDependencies } from './runner-dependencies.js';
import { type StartRunOptions, startRun } from './start-run.js';
import { unlessAborted } from './unless-aborted.js';
import { type NamedVariant, nameVariants, type RunVariant } from './variants/grid.js';
import { GroupRunner, type GroupRunnerOptions } from './variants/group-runner.js';

export interface StartGroupOptions
  extends Omit<StartRunOptions, 'readParams' | 'runName' | 'runId' | 'group'>,
    Pick<GroupRunnerOptions, 'runs' | 'onEvent'> {
  /** Reads the variants, once it is known which params the evaluations have. */
  readonly readVariants: (declared: DeclaredParams) => readonly RunVariant[];
  /** The config of a variant that names one; that of the options is for the others. */
  readonly configOf: (name: string) => ResolvedRunConfig;
  /** Name of the variant with which the others are compared. Default: the first. */
  readonly base?: string | undefined;
}

/**
 * Starts a run of each variant; answers with that of the base. They share processes, calls and budget, and their rows take
 * turns. Errors: those of `startRun`, `usage` for variants that are no group; nothing is saved then.
 */
export async function startGroup(
  runner: RunnerDependencies,
  options: StartGroupOptions,
): Promise<Started> {
  const runners = new GroupRunner(runner, { ...options, purpose: 'execute' });
  const started: Started[] = [];
  try {
    const variants = await findVariants(runner, runners, options);
    const group = { name: friendlyName(), runs: variants.map(newRunId) };
    for (const [place, { name, params, runConfig }] of variants.entries()) {
      const one = await startRun(runners.ofRun(place), {
        ...options,
        ...{ group, runName: name, runId: group.runs[place] as string },
        config: runConfig === undefined ? options.config : options.configOf(runConfig),
        readParams: () => params,
      });
      started.push(one);
    }
    const [first, ...others] = started;
    if (first === undefined) throw new Error('there is no variant');
    return { ...first, others };
  } catch (error) {
    await runners.abandon(started);
    throw error;
  }
}

/** The variants by name, the base first. */
async function findVariants(
  { redact }: RunnerDependencies,
  runners: GroupRunner,
  { request, readVariants, base, signal, changedSince }: StartGroupOptions,
): Promise<readonly NamedVariant[]> {
  const executor = runners.look();
  try {
    const looking = discover(runners.ofRun(0), request, executor, changedSince !== undefined);
    const { evaluations } = await unlessAborted(looking, signal);
    const variants = nameVariants(readVariants(declaredParams(evaluations)), redact);
    const first = base === undefined ? variants[0] : variants.find(({ name }) => name === base);
    if (first === undefined) throw noSuchBase(base ?? '', variants);
    return [first, ...variants.filter((one) => one !== first)];
  } finally {
    executor.close();
  }
}

function noSuchBase(base: string, variants: readonly NamedVariant[]): AssayError {
  const names = variants.map(({ name }) => name);
  return new AssayError('usage', `No variant has the name ${base}.`, {
    hints: [didYouMean(base, names) ?? `The variants are ${names.join(', ')}.`],
  });
}
