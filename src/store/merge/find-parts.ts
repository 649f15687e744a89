import { resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import { isFolder } from '../../files/regular-file.js';
import { nameText } from '../../text/name-text.js';
import { importRunDocument } from '../exported/import-run.js';
import { findRunFolder, isRunFolder, runFolders, sessionFolders } from '../folders.js';
import { type FoundRun, locateRun, type ReferenceOptions } from '../listing/resolve-reference.js';
import type { Store } from '../store.js';
import type { NamedFolder } from './part-log.js';

/**
 * The folders of the runs that a reference means: a run, as for `openReference`, or all runs in a results directory or
 * session folder. Exported runs are imported into `scratch`, a results directory. Errors: those of `openReference`;
 * `bad-request` for an export of some results.
 */
export async function findParts(
  store: Store,
  reference: string,
  { scratch, ...options }: ReferenceOptions & { readonly scratch: () => string },
): Promise<NamedFolder[]> {
  const below = runsBelow(resolve(options.cwd, reference));
  if (reference.trim() !== '' && below.length > 0) return below;
  const found = await locateRun(store, reference, options);
  switch (found.kind) {
    case 'stored': {
      const folder = findRunFolder(store.root, found.runId) ?? '';
      return [{ folder, name: reference }];
    }
    case 'folder':
      return [{ folder: found.folder, name: reference }];
    case 'exported':
      return [await imported(scratch(), found, reference)];
  }
}

async function imported(
  scratch: string,
  { run, document }: Extract<FoundRun, { kind: 'exported' }>,
  name: string,
): Promise<NamedFolder> {
  if (run.head.part_of !== undefined) {
    throw new AssayError(
      'bad-request',
      `${nameText(name)} has only some results of its run, so it cannot be merged.`,
      { hints: ['Export all of it: assay export RUN -f json --calls'] },
    );
  }
  const { run_id } = await importRunDocument(scratch, document, undefined);
  const folder = findRunFolder(scratch, run_id) ?? '';
  const hasCalls = run.rows.some((_, index) => run.trace(index).calls.length > 0);
  const isWithoutCalls = (run.head.usage?.calls ?? 0) > 0 && !hasCalls;
  const note = `${nameText(name)} was exported without the texts of its calls, so the merged run lacks them: export with --calls, or merge run folders.`;
  return { folder, name, ...(isWithoutCalls && { note }) };
}

function runsBelow(folder: string): NamedFolder[] {
  if (!isFolder(folder) || isRunFolder(folder)) return [];
  const found = [folder, ...sessionFolders(folder)].flatMap(runFolders);
  return found.map((run) => ({ folder: run.folder, name: run.folder }));
}
