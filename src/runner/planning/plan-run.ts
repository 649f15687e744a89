import { randomInt } from 'node:crypto';
import type { Shard } from '../../model/shard.js';
import { readVersion } from '../../package-root.js';
import type { Descriptor } from '../../protocol/messages.js';
import type { PlannedRow, RunOwner } from '../../store/run-owner.js';
import type { Store } from '../../store/store.js';
import type { RunRequest } from '../discovery/discover.js';
import type { Executor } from '../executor.js';
import type { ExecutionSettings, RunnerDependencies } from '../runner-dependencies.js';
import { unlessAborted } from '../unless-aborted.js';
import { fingerprintOf } from './case-fingerprint.js';
import { type PlannedTrial, planRows, scoreRulesOf, writePlannedRows } from './plan-rows.js';
import { toStoredRequest } from './stored-request.js';

/** Runs that one command has started. */
interface RunGroup {
  readonly name: string;
  /** Their ids, that of the base first. */
  readonly runs: readonly string[];
}

/** Describes a new run. */
export interface PlanRunOptions extends ExecutionSettings {
  readonly request: RunRequest;
  readonly sessionName: string;
  /** Default: a friendly name. */
  readonly runName?: string;
  /** Default: a random one. */
  readonly runId?: string;
  /** The part that `descriptors` are of a whole run, if they are one. */
  readonly shard?: Shard | undefined;
  /** The group of runs to which it belongs. Default: none. */
  readonly group?: RunGroup | undefined;
  /** Called with the plan of each row, in order. */
  readonly onPlan?: ((plan: PlannedRow) => void) | undefined;
  /** Aborts planning; nothing is saved then. */
  readonly signal?: AbortSignal | undefined;
}

/** Saves a new run with all rows planned and none started. If that fails, nothing of it remains. */
export async function planRun(
  runner: Pick<RunnerDependencies, 'store' | 'secrets' | 'env'>,
  executor: Executor,
  descriptors: readonly Descriptor[],
  options: PlanRunOptions,
): Promise<RunOwner> {
  const { store } = runner;
  const { config, request } = options;
  const owner = await store.createRun({
    session_name: options.sessionName,
    run_name: options.runName ?? friendlyName(),
    path: request.paths.length === 0 ? '.' : request.paths.join(' '),
    config_name: config.name,
    selection: toStoredRequest(request, config, runner),
    ...(options.shard && { shard: options.shard }),
    ...(options.group && { group: options.group.name, group_runs: options.group.runs }),
    assay: readVersion(),
    ...(options.runId === undefined ? {} : { run_id: options.runId }),
  });
  try {
    const planned = writePlannedRows(owner, executor, {
      ids: descriptors.map((descriptor) => descriptor.id),
      rows: abortable(planRows(descriptors, config.trials), options.signal),
      rulesOf: scoreRulesOf(descriptors, config.scoreRules),
      fingerprintOf: fingerprintOf(descriptors, config),
      onPlan: options.onPlan,
    });
    await unlessAborted(planned, options.signal);
    return owner;
  } catch (error) {
    await discardRun(store, owner);
    throw error;
  }
}

/** Removes a run that has not started. */
export async function discardRun(store: Store, owner: RunOwner): Promise<void> {
  await owner.release().finally(() => store.deleteRun(owner.run.runId));
}

/** Yields the same rows; throws when aborted. */
function* abortable(rows: Iterable<PlannedTrial>, signal?: AbortSignal): Generator<PlannedTrial> {
  for (const row of rows) {
    signal?.throwIfAborted();
    yield row;
  }
}

const adjectives =
  'able agile amber ample apt azure bold brave bright brisk calm candid clear clever cosy crisp deft eager early easy fair ' +
  'fleet fond frank fresh gentle glad golden grand green hardy honest jolly keen kind lively loyal lucid lucky mellow merry ' +
  'mild neat nimble noble patient plain polite prime proud quick quiet rapid ready royal rustic sage serene sharp silent ' +
  'silver sleek smart snug solid spry steady stout sunny sure swift tidy tough true vivid warm wise witty young';
const animals =
  'adder alpaca badger beaver bison bittern bobcat buzzard camel caribou cheetah cobra condor cougar crane cricket curlew ' +
  'deer dingo dolphin donkey dove eagle egret eider falcon ferret finch fox gazelle gecko gibbon goose grouse hare hawk ' +
  'heron hornet ibex ibis jackal jaguar jay kestrel kite koala lark lemur leopard llama lynx magpie marmot marten mole ' +
  'moose newt ocelot okapi oriole osprey otter owl panda panther parrot pelican plover puffin puma quail rabbit raven ' +
  'robin salmon seal shrike skylark sparrow stoat stork swan tapir tern thrush tiger toucan trout turtle viper walrus ' +
  'weasel whale wolf wombat wren yak zebra';

/** A name for an unnamed run: an adjective and an animal, such as `brisk-otter`. */
export function friendlyName(): string {
  return `${pick(adjectives)}-${pick(animals)}`;
}

function pick(words: string): string {
  const all = words.split(' ');
  return all[randomInt(all.length)] ?? 'run';
}
