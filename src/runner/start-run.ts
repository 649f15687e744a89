import { AssayError } from '../errors.js';
import { readVersion } from '../package-root.js';
import type { Descriptor } from '../protocol/messages.js';
import { beginExecution } from './begin-execution.js';
import { type Discovery, discover, type RunRequest } from './discover.js';
import type { Executor } from './executor.js';
import { friendlyName } from './friendly-name.js';
import { type PlannedRow, planRows } from './plan.js';
import { type PlacedRow, planValues } from './plan-values.js';
import { createExecutor, type ExecutionSettings, type Runner, type Started } from './runner.js';
import { toStoredRequest } from './stored-request.js';

export interface StartRunOptions extends ExecutionSettings {
  readonly request: RunRequest;
  readonly sessionName: string;
  /** Default: a friendly name. */
  readonly runName?: string;
  /** Whether evaluations marked `only` may stand for all. Default true. */
  readonly allowOnly?: boolean;
  /** Gives up before the run has started: nothing is saved then. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Discovers evaluations, saves a new run with all of them planned, and starts it.
 * @throws {AssayError} when nothing can be run; nothing is saved then
 */
export async function startRun(runner: Runner, options: StartRunOptions): Promise<Started> {
  const executor = createExecutor(runner, options);
  try {
    const discovery = await unlessAborted(
      discover(options.request, executor, runner.cwd),
      options.signal,
    );
    checkOnly(discovery, options.allowOnly ?? true);
    const { files, evaluations, skipped, onlyMarked, unknown } = discovery;
    runner.onEvent({
      type: 'discovered',
      files,
      evaluations: evaluations.length,
      skipped,
      onlyMarked,
    });
    for (const what of unknown) {
      runner.onEvent({ type: 'warned', text: `No evaluation has the ${what}.` });
    }
    return await open(runner, executor, evaluations, options);
  } catch (error) {
    executor.close();
    throw error;
  }
}

async function open(
  runner: Runner,
  executor: Executor,
  descriptors: readonly Descriptor[],
  options: StartRunOptions,
): Promise<Started> {
  const { config, request } = options;
  const owner = await runner.store.createRun({
    session_name: options.sessionName,
    run_name: options.runName ?? friendlyName(),
    path: request.paths.length === 0 ? '.' : request.paths.join(' '),
    config_name: config.name,
    selection: toStoredRequest(request, config),
    assay: readVersion(),
  });
  try {
    await planValues(owner, executor, {
      ids: descriptors.map((descriptor) => descriptor.id),
      rows: placed(planRows(descriptors, config.trials), options.signal),
    });
    owner.schedule({ kind: 'run', rows: 'all' });
    await owner.save();
    options.signal?.throwIfAborted();
  } catch (error) {
    await owner.release().finally(() => runner.store.deleteRun(owner.run.runId));
    throw error;
  }
  const indices = owner.run.rows.map((_, index) => index);
  return beginExecution(runner, { owner, executor, indices, descriptors, settings: options });
}

/** Rows with their places; ends with an error when the run is no longer wanted. */
function* placed(rows: Iterable<PlannedRow>, signal?: AbortSignal): Generator<PlacedRow> {
  let index = 0;
  for (const row of rows) {
    signal?.throwIfAborted();
    yield { index, row };
    index += 1;
  }
}

/** An import may take long, and nobody has to wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function checkOnly({ onlyMarked, evaluations }: Discovery, allowed: boolean): void {
  if (!onlyMarked || allowed) return;
  throw new AssayError(
    'usage',
    `${evaluations[0]?.id} is marked \`only\`, which leaves out the others.`,
    {
      hints: ['Remove `only`, or allow it with --allow-only.'],
    },
  );
}
