import { AssayError } from '../../errors.js';
import { isPlannedField, parseCondition, testOf } from '../../model/selection/condition.js';
import type { CaseDraw } from '../../model/selection/sample.js';
import type { ShardRequest } from '../../model/shard.js';
import type {
  DescribedValues,
  Descriptor,
  EmptyFile,
  ImportFailure,
} from '../../protocol/messages.js';
import { nameText, quotedName } from '../../text/name-text.js';
import type { Executor } from '../executor.js';
import type { RunnerDependencies } from '../runner-dependencies.js';
import { DiscoveryError } from './discovery-error.js';
import { type FoundFiles, findFiles } from './find-files.js';
import { checkAskedPaths, checkImportable } from './importable.js';
import { type Selected, select } from './select-evaluations.js';

/** The user's selection of what to run; saved with the run, so that a rerun finds the same. */
export interface RunRequest {
  /** Files, folders or globs, each with an optional `::name`, or names alone; empty means the working directory. */
  readonly paths: readonly string[];
  /** Globs to ignore. */
  readonly ignore: readonly string[];
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  /** Conditions that all hold, such as `metadata.tier=pro`. Default: none. */
  readonly where?: readonly string[];
  /** Default: all cases. */
  readonly sample?: CaseDraw;
  readonly limit?: number;
  /** The part of the selection to run. Default: all of it. */
  readonly shard?: ShardRequest;
  /** The request comes from a saved run, which is not trusted. Default false. */
  readonly isStored?: boolean;
}

/** The content of the requested eval files. */
export interface LoadedEvals extends FoundFiles {
  /** Everything that was found, selected or not. */
  readonly descriptors: readonly Descriptor[];
  /** Files that were imported and have no evaluations. */
  readonly empty: readonly EmptyFile[];
  /** Names the files that could not be imported, if import failures are tolerated. */
  readonly importProblem: DiscoveryError | undefined;
  /** Hash of the code of the files, if a part of the run is requested. */
  readonly code: string | undefined;
  /** Ids of the cases that meet the conditions; absent without conditions. */
  readonly meeting?: ReadonlySet<string>;
}

/** The content of the eval files, and the selected evaluations. */
export interface Discovery extends Selected, Omit<LoadedEvals, 'files' | 'names' | 'anywhere'> {
  readonly files: readonly string[];
}

/**
 * Finds eval files, imports them in the executor and selects evaluations. `findsCode`: their code is asked for next.
 * @throws {DiscoveryError} when a file cannot be imported; nothing may be run then
 */
export async function discover(
  runner: RunnerDependencies,
  request: RunRequest,
  executor: Executor,
  findsCode = false,
): Promise<Discovery> {
  const { files, names, anywhere, ...loaded } = await loadEvals(
    runner,
    request,
    executor,
    findsCode,
  );
  const selected = select(loaded.descriptors, { ...request, ...loaded, names, anywhere });
  return { ...selected, files: files.map((file) => file.name), ...loaded };
}

/**
 * Finds the eval files of a request. Imports nothing.
 * @throws {AssayError} those of `findFiles`; `view-only` when a saved run asks for what nothing else would find
 */
export async function findRequested(
  { cwd, imports }: Pick<RunnerDependencies, 'cwd' | 'imports'>,
  request: RunRequest,
): Promise<FoundFiles> {
  if (request.isStored === true) checkAskedPaths(request.paths, cwd, imports);
  const found = await findFiles({ ...request, cwd, leftOut: imports.leftOut });
  if (request.isStored === true) await checkImportable(found.files, imports);
  return found;
}

/**
 * Finds eval files and imports them in the executor. `findsCode`: their code is asked for next.
 * @throws {DiscoveryError} when a file cannot be imported, or, if failures are tolerated, when no file can
 */
export async function loadEvals(
  runner: RunnerDependencies,
  request: RunRequest,
  executor: Executor,
  findsCode = false,
): Promise<LoadedEvals> {
  const found = await findRequested(runner, request);
  const { files } = found;
  const loading = executor.load(files, { withCode: request.shard !== undefined, findsCode });
  runner.onEvent({ type: 'importing', files: files.length });
  const { descriptors, failures, empty, code } = await loading;
  // A file in which only a name was looked for is none of those that were asked for.
  const isSearched = ({ file }: ImportFailure) => found.names.get(file)?.length === 0;
  const asked = failures.filter((one) => !isSearched(one));
  const problem = asked.length > 0 ? new DiscoveryError(asked, files.length, empty) : undefined;
  if (problem !== undefined && !(runner.toleratesImportFailures && descriptors.length > 0)) {
    throw problem;
  }
  const meeting = await meetingConditions(executor, descriptors, request.where);
  const anywhere = withFailures(found.anywhere, failures.filter(isSearched));
  return {
    ...found,
    anywhere,
    descriptors,
    empty,
    importProblem: problem,
    code,
    ...(meeting && { meeting }),
  };
}

/** The errors of names that are nowhere, which may be in files that could not be imported. */
function withFailures(
  anywhere: LoadedEvals['anywhere'],
  failures: readonly ImportFailure[],
): LoadedEvals['anywhere'] {
  if (failures.length === 0) return anywhere;
  const files = failures.map(({ file }) => nameText(file)).join(', ');
  const hint = `Not looked for in what could not be imported: ${files}`;
  return new Map(
    [...anywhere].map(([name, { code, message, hints }]) => [
      name,
      new AssayError(code, message, { hints: [...hints, hint] }),
    ]),
  );
}

/** The ids of the cases that meet all conditions; `undefined` without any. Error: `usage` for one about what came of results. */
async function meetingConditions(
  executor: Executor,
  descriptors: readonly Descriptor[],
  where: readonly string[] = [],
): Promise<ReadonlySet<string> | undefined> {
  if (where.length === 0) return undefined;
  const conditions = where.map(parseCondition);
  for (const { field, text } of conditions) {
    if (isPlannedField(field)) continue;
    throw new AssayError(
      'usage',
      `${quotedName(text)} asks for what comes of results, which nobody knows before they run.`,
      {
        hints: ['It selects results of saved runs: assay run --rerun latest --where …'],
      },
    );
  }
  const byId = new Map(descriptors.map((one) => [one.id, one]));
  const tests = conditions.map(testOf);
  const meeting = new Set<string>();
  const look = (id: string, values: () => DescribedValues & { readonly output: null }) => {
    const descriptor = byId.get(id);
    if (descriptor === undefined) return;
    const row = { ...descriptor, status: 'not_started', latency: null, scores: [] } as const;
    if (tests.every((test) => test(row, values))) meeting.add(id);
  };
  await executor.describe([...byId.keys()], (described) => {
    for (const one of described) look(one.id, () => ({ ...one, output: null }));
  });
  return meeting;
}
