import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AssayError } from '../errors.js';
import type { ReadableRun } from '../model/readable-run.js';
import { namingFile, readRunDocument, toReadableRun } from './exported-run-file.js';
import { findRunFolder, isRunFolder } from './folders.js';
import type { Store } from './store.js';
import type { StoredRun } from './stored-run.js';

/** Where and how to look for a run. */
export interface ReferenceOptions {
  /** Only runs of this session are found by name, and count for `latest`. */
  readonly session?: string | undefined;
  /** Absolute folder that paths are relative to. */
  readonly cwd: string;
}

/** A run that was found by what a user called it. */
export interface OpenedReference {
  readonly run: ReadableRun;
  /** What a user should know about its files, in sentences. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

/**
 * Opens the run a user means, for reading. In this order: a path (run folder, exported run JSON), `latest`, `previous`,
 * `latest~N`, a run id, a unique prefix of one, a run name. Errors: `no-such-run`, `ambiguous-run`, `unreadable-run`, `bad-request` for a
 * JSON file that is no exported run.
 */
export async function openReference(
  store: Store,
  reference: string,
  options: ReferenceOptions,
): Promise<OpenedReference> {
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored':
      return opened(await store.openRun(found.runId));
    case 'folder':
      return opened(await store.openFolder(found.folder));
    case 'exported':
      return { run: found.run, problems: [], close: async () => undefined };
  }
}

/**
 * The id of the saved run a user means, for what changes or executes it: as `openReference`, but what is not in the
 * results directory is refused. Errors: those of `openReference`, and `view-only`.
 */
export async function findStoredRun(
  store: Store,
  reference: string,
  options: ReferenceOptions,
): Promise<string> {
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored':
      return found.runId;
    case 'folder':
      throw new AssayError('view-only', `${reference} is not in the results directory.`, {
        hints: [`It can be exported. The results directory is ${store.root}; see --results-dir.`],
      });
    case 'exported':
      throw new AssayError('view-only', `${reference} is an exported run, not a saved one.`, {
        hints: ['Save it first: assay sessions import FILE'],
      });
  }
}

function opened(run: StoredRun): OpenedReference {
  return { run: run.snapshot(), problems: run.problems, close: () => run.close() };
}

/** A run that was found: in the store, in a folder elsewhere, or as an exported run JSON. */
export type FoundRun =
  | { readonly kind: 'stored'; readonly runId: string }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'exported'; readonly run: ReadableRun; readonly document: unknown };

/** Where the run is that a user means. Errors: those of {@link openReference}. */
export async function locateRun(
  store: Store,
  reference: string,
  { session, cwd }: ReferenceOptions,
): Promise<FoundRun> {
  if (reference.trim() === '') throw new AssayError('usage', 'RUN must not be empty.');
  const atPath = await lookAtPath(store, reference, resolve(cwd, reference));
  if (atPath !== undefined && !(atPath instanceof Error)) return atPath;
  try {
    const runId = await store.findRun(reference, session === undefined ? {} : { session });
    return { kind: 'stored', runId };
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'no-such-run') throw error;
    // A folder of that name may just happen to be there, so the name comes before what is wrong with the path.
    throw atPath ?? withHint(error, reference);
  }
}

function withHint(error: AssayError, reference: string): AssayError {
  if (error.hints.length > 0) return error;
  const hint = /[/\\]|\.json$/i.test(reference)
    ? 'There is no such file or folder either.'
    : 'RUN is an id, the beginning of one, a run name, latest, previous, latest~N, a run folder or an exported run JSON.';
  return new AssayError(error.code, error.message, { cause: error, hints: [hint] });
}

/** The run at a path, what keeps it from being one, or `undefined` when there is nothing. */
async function lookAtPath(
  store: Store,
  reference: string,
  path: string,
): Promise<FoundRun | AssayError | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const real = await realpath(path);
  const folder = stats.isDirectory() ? real : folderOfRunFile(real);
  if (folder !== undefined && isRunFolder(folder)) return toFolder(store, folder);
  if (stats.isDirectory()) {
    return new AssayError('no-such-run', `${reference} is a folder, but not that of a run.`, {
      hints: ['A run folder holds run.json and results.jsonl.'],
    });
  }
  if (!stats.isFile()) return new AssayError('no-such-run', `${reference} is not a regular file.`);
  try {
    const document = await readRunDocument(path, reference);
    return { kind: 'exported', run: toReadableRun(document), document };
  } catch (error) {
    if (error instanceof AssayError) return namingFile(reference, error);
    throw error;
  }
}

/** Who completes a path in a shell ends up at one of these; an export may be called run.json, too. */
function folderOfRunFile(path: string): string | undefined {
  const folder = dirname(path);
  const isNamedSo = ['run.json', 'results.jsonl'].includes(basename(path));
  return isNamedSo && existsSync(join(folder, 'results.jsonl')) ? folder : undefined;
}

function toFolder(store: Store, folder: string): FoundRun {
  const runId = basename(folder);
  return findRunFolder(store.root, runId) === folder
    ? { kind: 'stored', runId }
    : { kind: 'folder', folder };
}
