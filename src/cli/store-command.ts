import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../errors.js';
import { toStorageError } from '../store/storage-error.js';
import { openStore, type Store } from '../store/store.js';
import { BaseCommand } from './base-command.js';
import { resultsDirFlag } from './flags.js';
import { escapeTerminal } from './terminal/terminal-text.js';

/** The base of commands that work with saved runs: `--results-dir`. */
export abstract class StoreCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, 'results-dir': resultsDirFlag };

  /** Opens the results directory of the flag, or of the settings. */
  protected async openResults(flags: {
    readonly settings?: string | undefined;
    readonly 'results-dir'?: string | undefined;
  }): Promise<Store> {
    const settings = await this.projectSettings(flags.settings);
    const given = flags['results-dir'];
    const root =
      given === undefined ? settings.effective('results_dir').value : resolve(process.cwd(), given);
    checkReadable(root);
    return openStore(root);
  }

  /** Reports files that could not be read. */
  protected noteProblems(problems: readonly string[]): void {
    for (const problem of problems) this.note(escapeTerminal(problem));
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
