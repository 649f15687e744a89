import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import type { ReadableRun } from '../../model/readable-run.js';
import { namingFile, readRunDocument, toReadableRun } from '../exported/read-exported-run.js';
import { findRunFolder, isRunFolder } from '../folders.js';
import type { Store } from '../store.js';
import type { StoredRun } from '../stored-run.js';
import { type OpenedRun, openStreamedRun } from '../streamed-run.js';

/** Options for finding a run. */
export interface ReferenceOptions {
  /** Restricts names and `latest` to this session. */
  readonly session?: string | undefined;
  /** Absolute folder that paths are relative to. */
  readonly cwd: string;
}

/** Options for opening a run. */
export interface OpenOptions extends ReferenceOptions {
  /** True to read its results once and in order, without its rows in memory. Asking for `rows` reads it again. */
  readonly isStreamed?: boolean;
}

/**
 * Opens a run by reference, for reading. In this order: a path (run folder, exported run JSON), `latest`, `previous`,
 * `latest~N`, a run id, a unique prefix of one, a run name. Errors: `no-such-run`, `ambiguous-run`, `unreadable-run`,
 * `bad-request` for a JSON file that is no exported run.
 */
export async function openReference(
  store: Store,
  reference: string,
  options: OpenOptions,
): Promise<OpenedRun> {
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored':
      if (options.isStreamed) return store.streamRun(found.runId);
      return opened(await store.openRun(found.runId));
    case 'folder':
      if (options.isStreamed) return openStreamedRun(found.folder);
      return opened(await store.openFolder(found.folder));
    case 'exported':
      return { run: found.run, problems: [], close: async () => undefined };
  }
}

/**
 * The id of a saved run by reference, for changing or executing it: as `openReference`, but only runs of the results
 * directory are accepted. Errors: those of `openReference`, and `view-only`.
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

function opened(run: StoredRun): OpenedRun {
  return {
    run: run.snapshot(),
    get problems() {
      return run.problems;
    },
    close: () => run.close(),
  };
}

/** Location of a run: in the store, in a folder elsewhere, or in an exported run JSON. */
export type FoundRun =
  | { readonly kind: 'stored'; readonly runId: string }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'exported'; readonly run: ReadableRun; readonly document: unknown };

/** Finds a run by reference. Errors: those of {@link openReference}. */
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
    // A folder may have the name of a run by chance, so the name takes precedence over an invalid path.
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

/** The run at a path, the error if it is no run, or `undefined` if nothing exists there. */
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
      hints: ['A run folder contains run.json and results.jsonl.'],
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

/** Files in a run folder, which shells complete; an export may also be named run.json. */
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
