import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';
import { renameOver, syncFolder } from '../files/file-operations.js';
import { isFolder } from '../files/regular-file.js';
import type { JsonObject } from '../model/result.js';
import { type RunPlace, runPlaceOf } from '../model/run.js';
import type { Merged } from '../model/shard.js';
import { countedSummary } from '../model/summary/counts-only.js';
import { summarise } from '../model/summary/summary.js';
import {
  documentPath,
  fileMode,
  findRunFolder,
  folderMode,
  logPath,
  makeFolder,
} from './folders.js';
import { renderDocument, toDocument } from './listing/run-json.js';
import { heldLock, type Lock, lockPath, lockText } from './lock/lock.js';
import { formatVersion, type RunRecord } from './log/records.js';
import { RunLog } from './log/run-log.js';
import { checkName, runIdPattern, sessionFolderName } from './names.js';
import { newRunIndex } from './replay/run-index.js';
import { headerOf, type RunHeader } from './replay/run-replay.js';
import { RunOwner } from './run-owner.js';
import { toStorageError } from './storage-error.js';
import { StoredRun, unreadable } from './stored-run.js';

export interface NewRun extends RunPlace {
  readonly session_name: string;
  readonly run_name: string;
  /** The paths of the evals as they were given, joined by a space. */
  readonly path: string;
  readonly config_name: string;
  /** Data for reruns besides the path; opaque to the store. */
  readonly selection: JsonObject;
  /** Present in a run that is merged of parts. */
  readonly merged?: Merged;
  /** 12 lowercase hex characters; random when missing. */
  readonly run_id?: string;
  /** Unix milliseconds; now when missing. */
  readonly created_at_ms?: number;
  /** Unix milliseconds; `created_at_ms` when missing. */
  readonly started_at_ms?: number;
  /** Version of assay, for the record. */
  readonly assay?: string;
}

/**
 * Creates a run and takes its lock; the run appears complete or not at all.
 * Errors: `bad-request` for invalid names and an id that is taken, `storage-full`, `storage-unusable`.
 */
export async function createRunFolder(root: string, run: NewRun): Promise<RunOwner> {
  const header = toRecord(root, run);
  const folder = placeOf(root, header);
  return making(folder, async () => {
    const hidden = hiddenFolder(folder, header);
    await orRemoved(hidden, () => {
      build(hidden, header);
      appear(hidden, folder, header);
    });
    return orRemoved(folder, () => own(folder, header, heldLock(folder)));
  });
}

/**
 * Creates a run that stays hidden until `fill` has written all of it and it is on disk; on failure, nothing is left.
 * Errors: those of {@link createRunFolder} and of `fill`.
 */
export async function createWholeRun(
  root: string,
  run: NewRun,
  fill: (owner: RunOwner) => void | Promise<void>,
): Promise<RunHeader> {
  const record = toRecord(root, run);
  const folder = placeOf(root, record);
  return making(folder, async () => {
    const hidden = hiddenFolder(folder, record);
    return orRemoved(hidden, async () => {
      build(hidden, record);
      // The lock stays until the run is visible: without it, the leftovers of a killed process could not be recognized.
      const owner = await own(hidden, record, { release: () => undefined });
      const { run: made } = owner;
      try {
        await fill(owner);
      } finally {
        await owner.close('finished').finally(() => made.close());
      }
      appear(hidden, folder, record);
      heldLock(folder).release();
      await syncFolder(dirname(folder));
      return made.header;
    });
  });
}

/** The folder of a run; creates the folder of its session. */
function placeOf(root: string, { session_name, run_id }: RunRecord): string {
  const sessionFolder = join(root, sessionFolderName(session_name));
  makeFolder(sessionFolder);
  if (isFolder(sessionFolder)) return join(sessionFolder, run_id);
  throw new AssayError('storage-unusable', `${sessionFolder} is no folder, or a link to one.`);
}

async function own(folder: string, { run_id }: RunRecord, lock: Lock): Promise<RunOwner> {
  const log = await RunLog.open(logPath(folder), newRunIndex);
  if (log === undefined) throw unreadable(folder);
  log.index.isUnseen = true;
  return new RunOwner(new StoredRun(log, run_id), log, lock);
}

async function making<T>(folder: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    throw toStorageError(error, folder);
  }
}

/** Removes a folder when an action on it fails. */
async function orRemoved<T>(folder: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Keeps the first error; a listing removes the leftovers.
    }
    throw error;
  }
}

/** A random run id. */
export function newRunId(): string {
  return randomBytes(6).toString('hex');
}

/** The name of a folder that is being created or removed, which is no run. */
export function hiddenName(purpose: 'new' | 'deleted', runId: string): string {
  return `.${purpose}-${runId}-${randomBytes(4).toString('hex')}`;
}

/** True for names of `hiddenName`. */
export const hiddenNamePattern = /^\.(new|deleted)-[0-9a-f]{12}-[0-9a-f]{8}$/;

function toRecord(root: string, run: NewRun): RunRecord {
  const runId = run.run_id ?? newRunId();
  if (!runIdPattern.test(runId)) {
    throw new AssayError('bad-request', `A run id has 12 hexadecimal characters, not "${runId}".`);
  }
  // Random ids do not collide; a given one may exist in any session.
  if (run.run_id !== undefined && findRunFolder(root, runId) !== undefined) throw takenError(runId);
  return {
    type: 'run',
    format: formatVersion,
    assay: run.assay ?? '',
    run_id: runId,
    session_name: checkName(run.session_name, 'session'),
    run_name: checkName(run.run_name, 'run'),
    created_at_ms: run.created_at_ms ?? Date.now(),
    ...(run.started_at_ms === undefined ? {} : { started_at_ms: run.started_at_ms }),
    path: run.path,
    config_name: run.config_name,
    selection: run.selection,
    ...runPlaceOf(run),
    ...(run.merged && { merged: run.merged }),
  };
}

function hiddenFolder(folder: string, { run_id }: RunRecord): string {
  return join(folder, '..', hiddenName('new', run_id));
}

function build(hidden: string, header: RunRecord): void {
  mkdirSync(hidden, { mode: folderMode });
  const line = `${JSON.stringify(header)}\n`;
  // Created with its content: a listing would remove a folder with an empty lock.
  const lock = lockPath(hidden);
  writeFileSync(`${lock}.tmp`, lockText(), { flag: 'wx', mode: fileMode });
  renameSync(`${lock}.tmp`, lock);
  writeFileSync(logPath(hidden), line, { flag: 'wx', mode: fileMode });
  const document = firstDocument(header, Buffer.byteLength(line));
  writeFileSync(documentPath(hidden), document, { mode: fileMode });
}

function appear(hidden: string, folder: string, { run_id }: RunRecord): void {
  try {
    renameOver(hidden, folder);
  } catch (error) {
    if (hasSystemCode(error, 'ENOTEMPTY', 'EEXIST')) throw takenError(run_id);
    throw error;
  }
}

function firstDocument(record: RunRecord, logSize: number): string {
  const header = headerOf(record);
  const nothing = summarise([]);
  return renderDocument(
    toDocument(header, nothing, countedSummary([], nothing), {
      state: 'not_started',
      selected_total: 0,
      updated_at_ms: header.created_at_ms,
      log_size: logSize,
    }),
  );
}

function takenError(runId: string): AssayError {
  return new AssayError('bad-request', `There is a run ${runId} already.`);
}
