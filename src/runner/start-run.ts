import { AssayError } from '../errors.js';
import { readVersion } from '../package-root.js';
import type { Descriptor } from '../protocol/messages.js';
import { beginExecution } from './begin-execution.js';
import { type Discovery, discover, type RunRequest } from './discover.js';
import type { Executor } from './executor.js';
import { friendlyName } from './friendly-name.js';
import { planRows } from './plan.js';
import { planValues } from './plan-values.js';
import { createExecutor, type ExecutionSettings, type Runner, type Started } from './runner.js';
import { toStoredRequest } from './stored-request.js';

export interface StartRunOptions extends ExecutionSettings {
  readonly request: RunRequest;
  readonly sessionName: string;
  /** Default: a friendly name. */
  readonly runName?: string;
  /** Whether evaluations marked `only` may stand for all. Default true. */
  readonly allowOnly?: boolean;
}

/**
 * Discovers evaluations, saves a new run with all of them planned, and starts it.
 * @throws {AssayError} when nothing can be run; nothing is saved then
 */
export async function startRun(runner: Runner, options: StartRunOptions): Promise<Started> {
  const executor = createExecutor(runner, options);
  try {
    const discovery = await discover(options.request, executor, runner.cwd);
    checkOnly(discovery, options.allowOnly ?? true);
    const { files, evaluations, skipped, onlyMarked } = discovery;
    runner.onEvent({
      type: 'discovered',
      files,
      evaluations: evaluations.length,
      skipped,
      onlyMarked,
    });
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
  const rows = planRows(descriptors, config.trials);
  const owner = await runner.store.createRun({
    session_name: options.sessionName,
    run_name: options.runName ?? friendlyName(),
    path: request.paths.length === 0 ? '.' : request.paths.join(' '),
    config_name: config.name,
    selection: toStoredRequest(request, config),
    assay: readVersion(),
  });
  try {
    await planValues(
      owner,
      executor,
      rows.map((row, index) => ({ index, row })),
    );
    owner.schedule({ kind: 'run', rows: 'all' });
    await owner.save();
  } catch (error) {
    await owner.release();
    await runner.store.deleteRun(owner.run.runId);
    throw error;
  }
  const indices = rows.map((_, index) => index);
  return beginExecution(runner, { owner, executor, indices, descriptors, settings: options });
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
