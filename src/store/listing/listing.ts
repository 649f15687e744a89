import { AssayError } from '../../errors.js';
import { isFolder, lookAt, readSmallFile } from '../../files/regular-file.js';
import { sweepLeftovers } from '../../files/temporary-files.js';
import { documentPath, type FoundFolder, isRunFolder, logPath } from '../folders.js';
import { liveHolder, lockPath } from '../lock/lock.js';
import { formatVersion } from '../log/records.js';
import { moveAside, moveDocumentAside } from '../move-aside.js';
import { openRunFolder } from '../open-run.js';
import type { StoredRun } from '../stored-run.js';
import { isSettled, toStamp } from './listing-stamp.js';
import {
  covers,
  isAtRest,
  type ListedRun,
  parseDocument,
  type RunDocument,
  toListedRun,
} from './run-json.js';

/** The listing data of a run folder at one moment. */
export interface RunReading {
  /** The run; `as before` if it cannot be read at this moment, absent if there is none. */
  readonly listed?: ListedRun | 'as before';
  readonly warnings: readonly string[];
  /** True when it agrees with the log, and no process works on the run. */
  readonly isFinal: boolean;
}

export interface ReadingRules {
  /**
   * For repeated listings, which may see folders being copied and logs being edited: recently changed files are ignored
   * until they are settled.
   */
  readonly isPatient: boolean;
  /** A run that this process has opened from a folder, if there is one. */
  readonly opened: (folder: string) => StoredRun | undefined;
}

const nothing: RunReading = { warnings: [], isFinal: false };

/** Reads a run folder for a listing; a broken one is renamed and reported in the warnings. */
export async function readListedRun(found: FoundFolder, rules: ReadingRules): Promise<RunReading> {
  let isLeftAlone = false;
  try {
    if (!isRunFolder(found.folder)) return nothing;
    isLeftAlone = rules.isPatient && isInWork(found.folder);
    return await read(found, isLeftAlone, rules.opened);
  } catch (error) {
    if (isLeftAlone && isUnreadable(error)) return { ...nothing, listed: 'as before' };
    return { ...nothing, warnings: [moveRunAside(found, error)] };
  }
}

async function read(
  { runId, folder }: FoundFolder,
  isLeftAlone: boolean,
  opened: ReadingRules['opened'],
): Promise<RunReading> {
  const isLive = liveHolder(folder) !== undefined;
  if (!isLive && lookAt(lockPath(folder)) !== undefined) sweepLeftovers(folder);
  const saved = savedDocument(folder);
  const { document } = saved;
  const answer = (from: RunDocument, isFinal: boolean, warnings: readonly string[] = []) => ({
    listed: toListedRun(from, runId, folder),
    warnings,
    isFinal,
  });
  if (document !== undefined) {
    // It is written about once a second, so its state is current.
    if (isLive && !isAtRest(document)) return answer(document, false);
    if (covers(document, saved.logSize)) {
      return isLive ? answer(asHeld(document), false) : answer(document, true);
    }
    const inMemory = isLive ? undefined : await documentInMemory(opened(folder), saved.logSize);
    if (inMemory !== undefined) return answer(inMemory, true);
  }
  if (isLeftAlone && !isLive) {
    // A process that appends to the log updates `run.json` within a second.
    const isUsable = document !== undefined && isAtRest(document);
    return isUsable ? answer(document, false) : { ...nothing, listed: 'as before' };
  }
  const warnings = saved.isDamaged && !isLive ? [moveDocumentAside(folder)] : [];
  return answer(await rebuild({ runId, folder }, isLive), !isLive, warnings);
}

interface SavedDocument {
  readonly document?: RunDocument;
  /** True for a `run.json` that is invalid. */
  readonly isDamaged: boolean;
  readonly logSize: number;
}

function savedDocument(folder: string): SavedDocument {
  const log = lookAt(logPath(folder));
  const none: SavedDocument = { isDamaged: false, logSize: log?.size ?? 0 };
  if (log?.isFile() !== true) return none;
  const text = readSmallFile(documentPath(folder));
  // Anything except a folder is simply replaced.
  if (text === undefined) return { ...none, isDamaged: isFolder(documentPath(folder)) };
  const document = parseDocument(text);
  return document === undefined ? { ...none, isDamaged: true } : { ...none, document };
}

/** A process that holds a not-started run is about to start it. */
function asHeld(document: RunDocument): RunDocument {
  return document.state === 'not_started' ? { ...document, state: 'running' } : document;
}

/** The document of a run edited by this process, from memory, if it agrees with the log; also writes it. */
async function documentInMemory(
  run: StoredRun | undefined,
  logSize: number,
): Promise<RunDocument | undefined> {
  if (run === undefined || run.log.position !== logSize) return undefined;
  const document = parseDocument(run.documentText());
  if (document === undefined || !covers(document, logSize)) return undefined;
  if (!run.readOnly) await run.save().catch(() => undefined);
  return document;
}

/** True when the folder or its log changed recently, unless a process that executed the run has ended. */
function isInWork(folder: string): boolean {
  if (lookAt(lockPath(folder)) !== undefined) return false;
  return [folder, logPath(folder), documentPath(folder)].some((path) => {
    const stats = lookAt(path);
    return stats !== undefined && !isSettled(toStamp(stats));
  });
}

/** Reads the log, and writes a new `run.json`. */
async function rebuild({ runId, folder }: FoundFolder, isLive: boolean): Promise<RunDocument> {
  const run = await openRunFolder(folder, runId);
  try {
    const document = parseDocument(run.documentText());
    if (document === undefined) throw new Error(`the document of ${folder} is none`);
    // A read-only folder can still be listed.
    if (!isLive && !run.readOnly) {
      await run.save().catch(() => undefined);
      sweepLeftovers(folder);
    }
    return document;
  } finally {
    await run.close();
  }
}

/** Renames an unreadable run folder, and returns a sentence that says so. */
function moveRunAside({ folder }: FoundFolder, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  // Other errors may be temporary: permissions, too many open files.
  if (!isUnreadable(error)) return reason;
  if (liveHolder(folder) !== undefined || isNewer(folder)) return reason;
  return `${reason} It was set aside as ${moveAside(folder)}.`;
}

function isUnreadable(error: unknown): boolean {
  return error instanceof AssayError && error.code === 'unreadable-run';
}

function isNewer(folder: string): boolean {
  const format = /"format": ?(\d+)/.exec(readSmallFile(documentPath(folder)) ?? '')?.[1];
  return format !== undefined && Number(format) > formatVersion;
}
