import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssayError } from '../../src/errors.js';
import type { ResultEntry } from '../../src/model/result.js';
import type { NewRun } from '../../src/store/create-run.js';
import type { FinishedRow, PlannedRow, RunOwner } from '../../src/store/run-owner.js';
import { openStore, type Store } from '../../src/store/store.js';
import { afterEachFile, afterEachTest } from '../helpers/clean-up.js';

const folders: string[] = [];
const shared: string[] = [];

/** The known error an act is refused with; any other error, and success, fail the test. */
export async function refusal(act: () => unknown): Promise<AssayError> {
  try {
    await act();
  } catch (error) {
    // Not by class: a module that is loaded late may bring its own copy of it when sources are run directly.
    if (error instanceof Error && 'hints' in error) return error as AssayError;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** A new temporary folder, removed after the test. */
export function temporaryFolder(): string {
  return makeFolder(folders);
}

/** The same, removed after the test file. */
export function sharedFolder(): string {
  return makeFolder(shared);
}

function makeFolder(list: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'assay-store-'));
  list.push(folder);
  return folder;
}

function removeFolders(list: string[]): void {
  for (const folder of list.splice(0)) rmSync(folder, { recursive: true, force: true });
}

afterEachTest(() => removeFolders(folders));
afterEachFile('projects', () => removeFolders(shared));

export function temporaryStore(): Promise<Store> {
  return openStore(join(temporaryFolder(), '.assay', 'sessions'));
}

export function newRun(change: Partial<NewRun> = {}): NewRun {
  return {
    session_name: 'default',
    run_name: 'brisk-otter',
    path: 'evals',
    config_name: 'default',
    selection: { limit: 3 },
    ...change,
  };
}

export function plan(index: number, change: Partial<PlannedRow> = {}): PlannedRow {
  return {
    index,
    id: `evals/a.eval.ts::refund[${index}]`,
    evaluation: 'evals/a.eval.ts::refund',
    function: `refund[${index}]`,
    dataset: 'a',
    labels: ['smoke'],
    input: `in ${index}`,
    reference: null,
    metadata: { kind: 'authored' },
    ...change,
  };
}

export function finished(index: number, change: Partial<FinishedRow> = {}): FinishedRow {
  return {
    index,
    status: 'completed',
    output: `out ${index}`,
    scores: [{ key: 'exact', passed: true, notes: 'fine' }],
    error: null,
    latency: 0.25,
    trace_data: { logs: [] },
    regradable: true,
    ...change,
  };
}

/** A run with `count` rows, planned and scheduled, not closed. */
export async function startedRun(
  store: Store,
  count: number,
  change: Partial<NewRun> = {},
): Promise<RunOwner> {
  const owner = await store.createRun(newRun(change));
  owner.plan(Array.from({ length: count }, (_, index) => plan(index)));
  owner.schedule({ kind: 'run', rows: 'all' });
  return owner;
}

/** A finished, closed run; answers with its id. */
export async function finishedRun(
  store: Store,
  count: number,
  change: Partial<NewRun> = {},
): Promise<string> {
  const owner = await startedRun(store, count, change);
  owner.finish(Array.from({ length: count }, (_, index) => finished(index)));
  await owner.close('finished');
  await owner.run.close();
  return owner.run.runId;
}

/** All results of a saved run, read afresh. */
export async function readAll(store: Store, runId: string): Promise<ResultEntry[]> {
  const run = await store.openRun(runId);
  const entries: ResultEntry[] = [];
  for await (const { entry } of run.entries()) entries.push(entry);
  await run.close();
  return entries;
}
