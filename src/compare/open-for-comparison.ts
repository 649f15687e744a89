import { resolve } from 'node:path';
import { AssayError } from '../errors.js';
import type { ReadableRun } from '../model/readable-run.js';
import type { RunPlace } from '../model/run.js';
import { mergeFirst } from '../model/shard.js';
import { withoutRates } from '../store/exported/read-exported-run.js';
import { locateRun, type ReferenceOptions } from '../store/listing/resolve-reference.js';
import type { Store } from '../store/store.js';
import { StoredRun } from '../store/stored-run.js';
import { nameText } from '../text/name-text.js';
import { isBaselineFile, readBaselineFile } from './baseline/baseline-file.js';
import { type ComparedRun, ofExportedRun, ofStoredRun } from './compared-run.js';

export interface OpenedForComparison extends ComparedRun {
  /** Problems of its files that the user should know, in sentences. */
  readonly problems: readonly string[];
  /** A file that can be copied, not a run of the results directory or a run folder. */
  readonly isFile: boolean;
  /** The run itself, or the results of a file; absent for a baseline file. */
  readonly source?: StoredRun | ReadableRun;
  close(): Promise<void>;
}

/** The saved run that was opened; `undefined` for a file. */
export function savedRunOf({ source }: OpenedForComparison): StoredRun | undefined {
  return source instanceof StoredRun ? source : undefined;
}

/** Opens a run or a baseline file for a comparison. Errors: those of `openReference` and `readBaselineFile`. */
export async function openForComparison(
  store: Store,
  reference: string,
  options: ReferenceOptions,
): Promise<OpenedForComparison> {
  const path = resolve(options.cwd, reference);
  if (reference.trim() !== '' && (await isBaselineFile(path))) {
    return withoutFiles(await readBaselineFile(path, reference));
  }
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored':
      return openStored(reference, await store.openRun(found.runId));
    case 'folder':
      return openStored(reference, await store.openFolder(found.folder));
    case 'exported':
      refusePart(reference, found.run.head);
      if (found.run.head.summary.counts_only) throw withoutRates(nameText(reference));
      return {
        ...withoutFiles(ofExportedRun(found.run)),
        problems: lackingOutputs(reference, found.run),
        source: found.run,
      };
  }
}

/**
 * Opens what `--baseline` names: a name and `latest` are looked for in the session first, then in any. Errors: those of
 * {@link openForComparison}.
 */
export async function openBaseline(
  store: Store,
  reference: string,
  options: ReferenceOptions,
): Promise<OpenedForComparison> {
  try {
    return await openForComparison(store, reference, options);
  } catch (error) {
    const isElsewhere = error instanceof AssayError && error.code === 'no-such-run';
    if (!isElsewhere || options.session === undefined) throw error;
    return openForComparison(store, reference, { cwd: options.cwd });
  }
}

/** A part has the results of some cases only: what it lacks is in the other parts. */
function refusePart(reference: string, { shard }: RunPlace): void {
  if (shard !== undefined) {
    throw new AssayError('usage', `${nameText(reference)} is ${mergeFirst(shard)}`);
  }
}

async function openStored(reference: string, run: StoredRun): Promise<OpenedForComparison> {
  try {
    refusePart(reference, run.header);
  } catch (error) {
    await run.close();
    throw error;
  }
  const problems = [...run.problems, ...lackingOutputs(run.header.run_name, run)];
  return { ...ofStoredRun(run), problems, isFile: false, source: run, close: () => run.close() };
}

/** Says that outputs cannot be told apart. */
function lackingOutputs(name: string, { rows }: Pick<ReadableRun, 'rows'>): string[] {
  const isLacking = rows.some(({ status, outputHash }) => {
    return status === 'completed' && outputHash === undefined;
  });
  const what = `Outputs of ${nameText(name)} are unknown`;
  return isLacking ? [`${what}: verdicts and scores alone decide what has changed.`] : [];
}

function withoutFiles(run: ComparedRun): OpenedForComparison {
  return { ...run, problems: [], isFile: true, close: async () => undefined };
}
