import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { toStorageError } from '../store/storage-error.js';
import { openStore, type Store } from '../store/store.js';
import { quotedName } from '../text/name-text.js';
import { didYouMean } from '../text/near-names.js';
import { BaseCommand } from './base-command.js';
import { resultsDirFlag } from './flags.js';
import { escapeTerminal } from './terminal/terminal-text.js';

/** The flags that say where runs are. */
export interface ProjectFlags {
  readonly settings?: string | undefined;
  readonly 'results-dir'?: string | undefined;
}

interface Project {
  readonly settings: Settings;
  readonly store: Store;
}

/** The base of commands that work with saved runs: `--results-dir`. */
export abstract class StoreCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, 'results-dir': resultsDirFlag };
  readonly #noted = new Set<string>();

  /** Opens the results directory of the flag, or of the settings. */
  protected async openResults(flags: ProjectFlags): Promise<Store> {
    const { store } = await this.openProject(flags);
    return store;
  }

  /** Loads the settings and opens the results directory. */
  protected async openProject(flags: ProjectFlags): Promise<Project> {
    const given = flags['results-dir'];
    const results_dir = given === undefined ? undefined : resolve(process.cwd(), given);
    const settings = await this.projectSettings(flags.settings, { flags: { results_dir } });
    const root = settings.effective('results_dir').value;
    checkReadable(root);
    return { settings, store: await openStore(root) };
  }

  /** The ids of the runs of a group, with a note about those that are missing; `undefined` where the reference is no group's. */
  protected async findGroup(
    store: Store,
    reference: string,
    where: { readonly session?: string | undefined },
  ): Promise<readonly string[] | undefined> {
    const ids = await store.findGroup(reference, where);
    const lack = ids && (await store.lackOfGroup(ids));
    if (lack !== undefined) this.noteProblems([lack]);
    return ids;
  }

  /** Reports files that could not be read, each problem once. */
  protected noteProblems(problems: readonly string[]): void {
    for (const problem of problems) {
      if (!this.#noted.has(problem)) this.note(escapeTerminal(problem));
      this.#noted.add(problem);
    }
  }
}

/** Accepts a missing folder, but not something that is no folder or unreadable. */
function checkReadable(root: string): void {
  try {
    const stats = statSync(root, { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) {
      throw new AssayError('storage-unusable', `The results directory ${root} is not a folder.`);
    }
    accessSync(root, constants.R_OK | constants.X_OK);
  } catch (error) {
    throw toStorageError(error, root);
  }
}

/** The error for a session without runs, with similar names. */
export async function noSuchSession(store: Store, name: string): Promise<AssayError> {
  const names = (await store.listSessions()).map((session) => session.session_name);
  const near = didYouMean(name, names);
  const known = names.length === 0 ? `There are no saved runs in ${store.root}.` : undefined;
  return new AssayError('no-such-session', `There is no session ${quotedName(name)}.`, {
    hints: [near ?? known ?? 'assay sessions lists them.'],
  });
}
