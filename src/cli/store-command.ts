import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { toStorageError } from '../store/storage-error.js';
import { openStore, type Store } from '../store/store.js';
import { BaseCommand } from './base-command.js';
import { resultsDirFlag } from './flags.js';
import { escapeTerminal } from './terminal/terminal-text.js';

interface ProjectFlags {
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
