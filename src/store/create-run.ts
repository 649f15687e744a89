import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';
import { renameOver } from '../files/rename-over.js';
import type { JsonObject } from '../model/result.js';
import { summarise } from '../model/summary.js';
import { fileMode, findRunFolder, folderMode, logPath, makeFolder } from './folders.js';
import { heldLock, lockPath, lockText } from './lock.js';
import { checkName, runIdPattern, sessionFolderName } from './names.js';
import { formatVersion, type RunRecord } from './records.js';
import { isFolder } from './regular-file.js';
import { renderDocument, toDocument } from './run-document.js';
import { headerOf } from './run-index.js';
import { RunLog } from './run-log.js';
import { RunOwner } from './run-owner.js';
import { toStorageError } from './storage-error.js';
import { StoredRun, unreadable } from './stored-run.js';

/** A run to be made. */
export interface NewRun {
  readonly session_name: string;
  readonly run_name: string;
  /** The paths of the evals as they were given, joined by a space. */
  readonly path: string;
  readonly config_name: string;
  /** What a rerun needs besides the path; opaque to the store. */
  readonly selection: JsonObject;
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
 * Makes a run and takes its lock; the run appears whole or not at all.
 * Errors: `bad-request` for names that cannot be and an id that is taken, `storage-full`, `storage-unusable`.
 */
export async function createRunFolder(root: string, run: NewRun): Promise<RunOwner> {
  const header = toRecord(root, run);
  const sessionFolder = join(root, sessionFolderName(header.session_name));
  makeFolder(sessionFolder);
  if (!isFolder(sessionFolder)) {
    throw new AssayError('storage-unusable', `${sessionFolder} is no folder, or a link to one.`);
  }
  const folder = join(sessionFolder, header.run_id);
  const lock = lockText();
  try {
    build(folder, header, lock);
  } catch (error) {
    throw toStorageError(error, folder);
  }
  const log = await RunLog.open(logPath(folder));
  if (log === undefined) throw unreadable(folder);
  log.index.isUnseen = true;
  return new RunOwner(new StoredRun(log, header.run_id), log, heldLock(folder));
}

/** Random id of a run. */
function newRunId(): string {
  return randomBytes(6).toString('hex');
}

/** Name of a folder that is being made or removed, so that nobody takes it for a run. */
export function hiddenName(purpose: 'new' | 'deleted', runId: string): string {
  return `.${purpose}-${runId}-${randomBytes(4).toString('hex')}`;
}

/** True for names made by `hiddenName`. */
export const hiddenNamePattern = /^\.(new|deleted)-[0-9a-f]{12}-[0-9a-f]{8}$/;

function toRecord(root: string, run: NewRun): RunRecord {
  const runId = run.run_id ?? newRunId();
  if (!runIdPattern.test(runId)) {
    throw new AssayError('bad-request', `A run id has 12 hexadecimal characters, not "${runId}".`);
  }
  // Random ids do not meet; a given one may be there in any session.
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
  };
}

function build(folder: string, header: RunRecord, lock: string): void {
  const hidden = join(folder, '..', hiddenName('new', header.run_id));
  mkdirSync(hidden, { mode: folderMode });
  try {
    const line = `${JSON.stringify(header)}\n`;
    writeFileSync(lockPath(hidden), lock, { flag: 'wx', mode: fileMode });
    writeFileSync(logPath(hidden), line, { flag: 'wx', mode: fileMode });
    const document = firstDocument(header, Buffer.byteLength(line));
    writeFileSync(join(hidden, 'run.json'), document, { mode: fileMode });
    renameOver(hidden, folder);
  } catch (error) {
    rmSync(hidden, { recursive: true, force: true });
    if (hasSystemCode(error, 'ENOTEMPTY', 'EEXIST')) throw takenError(header.run_id);
    throw error;
  }
}

function firstDocument(record: RunRecord, logSize: number): string {
  const header = headerOf(record);
  return renderDocument(
    toDocument(header, summarise([]), {
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
