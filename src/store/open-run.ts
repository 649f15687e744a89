import { setTimeout } from 'node:timers/promises';
import { AssayError } from '../errors.js';
import { isFolder, lookAt, readSmallFile } from '../files/regular-file.js';
import { sweepLeftovers } from '../files/temporary-files.js';
import { documentPath, logPath } from './folders.js';
import { parseDocument } from './listing/run-json.js';
import { type Lock, takeLock } from './lock/lock.js';
import type { RowEventIndex } from './log/row-event-index.js';
import { RunLog } from './log/run-log.js';
import { moveDocumentAside } from './move-aside.js';
import { newRunIndex } from './replay/run-index.js';
import { headerOf, type RunReplay } from './replay/run-replay.js';
import { RunOwner } from './run-owner.js';
import { toStorageError } from './storage-error.js';
import { StoredRun, unreadable } from './stored-run.js';

/**
 * Opens the run in a folder for reading and editing. `runId`: the name of a folder below the root; elsewhere, the id is
 * in the log. Error: `unreadable-run`.
 */
export async function openRunFolder(folder: string, runId?: string): Promise<StoredRun> {
  const { log, id } = await openLog(folder, newRunIndex, runId);
  return new StoredRun(log, id);
}

/**
 * Takes ownership of the run in a folder, for executing it. Errors: `busy`, `newer-format`, `no-such-run` if it has
 * just been deleted, `unreadable-run`, `storage-…`.
 */
export function ownRunFolder(folder: string, runId: string): Promise<RunOwner> {
  return locked(folder, runId, (lock) => own(folder, runId, lock));
}

/** Takes ownership of a run that is already open. Errors: as `ownRunFolder`. */
export function ownOpenRun(run: StoredRun): Promise<RunOwner> {
  return locked(run.folder, run.runId, async (lock) => {
    await run.refresh();
    return prepare(run, lock);
  });
}

async function locked(
  folder: string,
  runId: string,
  take: (lock: Lock) => Promise<RunOwner>,
): Promise<RunOwner> {
  let lock: Lock | undefined;
  try {
    lock = await lockAtEnd(folder, runId);
    return await take(lock);
  } catch (error) {
    lock?.release();
    if (lookAt(folder) !== undefined) throw error;
    throw new AssayError('no-such-run', `Run ${runId} has just been deleted.`, { cause: error });
  }
}

/** Milliseconds between two looks at a lock. */
const lookEveryMs = 20;
/** Milliseconds to wait for an end to be written, and for a lock after it. */
const longestEndMs = 10_000;
const longestReleaseMs = 1000;

/**
 * Takes the lock of a run. While a process that executes it has no row left to run or to grade, and only writes the end,
 * this waits for it. Errors: those of {@link takeLock}.
 */
export async function lockAtEnd(folder: string, runId: string): Promise<Lock> {
  const since = performance.now();
  let run: StoredRun | undefined;
  try {
    for (;;) {
      try {
        return takeLock(folder, `Run ${runId}`);
      } catch (error) {
        const isBusy = error instanceof AssayError && error.code === 'busy';
        if (!isBusy) throw error;
        run ??= await openRunFolder(folder, runId).catch(() => undefined);
        await run?.refresh();
        const longest = run?.state === 'finished' ? longestReleaseMs : longestEndMs;
        const isOver = performance.now() - since > longest;
        if (run === undefined || run.log.index.hasRowsToDo || isOver) throw error;
      }
      await setTimeout(lookEveryMs);
    }
  } finally {
    await run?.close();
  }
}

async function own(folder: string, runId: string, lock: Lock): Promise<RunOwner> {
  const { log } = await openLog(folder, newRunIndex, runId);
  const run = new StoredRun(log, runId);
  try {
    return await prepare(run, lock);
  } catch (error) {
    await run.close();
    throw error;
  }
}

async function prepare(run: StoredRun, lock: Lock): Promise<RunOwner> {
  if (run.readOnly) throw new AssayError('newer-format', run.problems[0] ?? '');
  sweepLeftovers(run.folder);
  // A file cannot replace a folder.
  if (isFolder(documentPath(run.folder))) run.note(moveDocumentAside(run.folder));
  await cutTornLine(run, run.log);
  return new RunOwner(run, run.log, lock);
}

/** Opens the log in the folder of a run. Error: `unreadable-run`. */
export async function openLog<Index extends RunReplay>(
  folder: string,
  newIndex: (events: RowEventIndex) => Index,
  runId?: string,
): Promise<{ log: RunLog<Index>; id: string }> {
  let log: RunLog<Index> | undefined;
  try {
    log = await RunLog.open(logPath(folder), newIndex);
  } catch (error) {
    throw toStorageError(error, folder);
  }
  if (log === undefined) {
    const what =
      lookAt(logPath(folder)) === undefined
        ? 'it has no results.jsonl'
        : 'its results.jsonl is no regular file';
    throw new AssayError('unreadable-run', `${folder} cannot be read: ${what}.`);
  }
  log.index.header ??= headerOfDocument(folder);
  const id = runId ?? log.index.header?.run_id;
  if (id !== undefined && log.index.header !== undefined) return { log, id };
  await log.close();
  throw unreadable(folder);
}

/** The identity of a run with a damaged header line, from `run.json`; its results come from the log. */
function headerOfDocument(folder: string) {
  const document = parseDocument(readSmallFile(documentPath(folder)) ?? '');
  return document === undefined ? undefined : headerOf(document);
}

async function cutTornLine(run: StoredRun, log: RunLog): Promise<void> {
  if (log.torn === undefined) return;
  // It may be an edit that another process is writing.
  await setTimeout(30);
  await log.refresh();
  const aside = log.cutTail();
  if (aside !== undefined)
    run.note(`The last line of the log was incomplete and is now in ${aside}.`);
}
