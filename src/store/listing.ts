import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AssayError } from '../errors.js';
import { sweepHidden } from './delete-run.js';
import { type FoundFolder, isRunFolder, logPath, runFolders, sessionFolders } from './folders.js';
import { liveHolder } from './lock.js';
import { openRunFolder } from './open-run.js';
import { formatVersion } from './records.js';
import { lookAt, readSmallFile } from './regular-file.js';
import { type ListedRun, parseDocument, type RunDocument, toListedRun } from './run-document.js';

/** The runs of a results directory, newest first, and what could not be read. */
export interface Listing {
  readonly runs: readonly ListedRun[];
  readonly warnings: readonly string[];
}

/** Lists all runs below a root; what is broken is set aside and named in the warnings, the others still list. */
export async function listAllRuns(root: string): Promise<Listing> {
  const runs = new Map<string, ListedRun>();
  const warnings: string[] = [];
  for (const sessionFolder of sessionFolders(root)) {
    await sweepHidden(sessionFolder);
    for (const found of runFolders(sessionFolder)) {
      const listed = await listRun(found, warnings);
      if (listed === undefined) continue;
      const other = runs.get(found.runId);
      if (other === undefined) runs.set(found.runId, listed);
      else warnings.push(`${found.folder} is left out: ${other.folder} has the same run id.`);
    }
    await setImmediate();
  }
  return { runs: [...runs.values()].sort(newestFirst), warnings };
}

function newestFirst(a: ListedRun, b: ListedRun): number {
  return b.created_at_ms - a.created_at_ms || (a.run_id < b.run_id ? -1 : 1);
}

async function listRun(found: FoundFolder, warnings: string[]): Promise<ListedRun | undefined> {
  const { runId, folder } = found;
  if (!isRunFolder(folder)) return undefined;
  try {
    const live = liveHolder(folder) !== undefined;
    const document = usableDocument(folder, live, warnings) ?? (await rebuild(found, live));
    return toListedRun(document, runId, folder);
  } catch (error) {
    warnings.push(setAside(found, error));
    return undefined;
  }
}

/** `run.json` when it can be trusted to say what the log says. */
function usableDocument(
  folder: string,
  live: boolean,
  warnings: string[],
): RunDocument | undefined {
  const path = join(folder, 'run.json');
  const log = lookAt(logPath(folder));
  if (log?.isFile() !== true) return undefined;
  const text = readSmallFile(path);
  if (text === undefined) return undefined;
  const document = parseDocument(text);
  if (document === undefined) {
    if (!live) warnings.push(`${path} was damaged and is now ${moveAside(path)}.`);
    return undefined;
  }
  if (live) return document;
  const isSettled = document.state !== 'running' && document.state !== 'paused';
  return isSettled && document.log_size === log.size ? document : undefined;
}

/** Reads the log instead, and leaves a fresh `run.json` for the next time. */
async function rebuild({ runId, folder }: FoundFolder, live: boolean): Promise<RunDocument> {
  const run = await openRunFolder(folder, runId);
  try {
    const document = parseDocument(run.documentText());
    if (document === undefined) throw new Error(`the document of ${folder} is none`);
    // A place where we may not write can still be listed.
    if (!live && !run.readOnly) await run.save().catch(() => undefined);
    return document;
  } finally {
    await run.close();
  }
}

/** Moves a run folder that is no readable run out of the way, and says so. */
function setAside({ folder }: FoundFolder, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  // Anything else may be gone the next time: permissions, too many open files.
  if (!(error instanceof AssayError) || error.code !== 'unreadable-run') return reason;
  if (liveHolder(folder) !== undefined || isNewer(folder)) return reason;
  return `${reason} It was set aside as ${moveAside(folder)}.`;
}

function isNewer(folder: string): boolean {
  const format = /"format": ?(\d+)/.exec(readSmallFile(join(folder, 'run.json')) ?? '')?.[1];
  return format !== undefined && Number(format) > formatVersion;
}

function moveAside(path: string): string {
  for (let count = 1; ; count += 1) {
    const aside = count === 1 ? `${path}.broken` : `${path}.broken-${count}`;
    if (existsSync(aside)) continue;
    try {
      renameSync(path, aside);
      return aside;
    } catch {
      return `${path} still, because it could not be renamed`;
    }
  }
}
