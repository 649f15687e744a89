import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { AssayError } from '../errors.js';
import { toStorageError } from '../store/storage-error.js';
import { openStore, type Store } from '../store/store.js';
import { BaseCommand } from './base-command.js';
import { resultsDirFlag } from './flags.js';
import { escapeTerminal } from './terminal/terminal-text.js';

/** What commands over saved runs share: `--results-dir`. */
export abstract class StoreCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, 'results-dir': resultsDirFlag };

  /** The results directory of the flag, or that of the settings. */
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

  /** Tells about files that could not be read. */
  protected tellProblems(problems: readonly string[]): void {
    for (const problem of problems) this.note(escapeTerminal(problem));
  }
}

/** Nothing saved yet is fine; something that cannot hold runs, or cannot be looked into, is not. */
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
