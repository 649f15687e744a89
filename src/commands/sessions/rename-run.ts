import { Args } from '@oclif/core';
import { referenceSessionFlag } from '../../cli/flags.js';
import { StoreCommand } from '../../cli/store-command.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { findStoredRun } from '../../store/listing/resolve-reference.js';

/** Answer of `assay sessions rename-run RUN NAME --json`. */
export interface RenamedRunJson {
  readonly ok: true;
  readonly run: { readonly run_id: string; readonly run_name: string };
}

export default class SessionsRenameRun extends StoreCommand {
  static override summary = 'Give a run another name.';
  static override examples = [
    '<%= config.bin %> sessions rename-run latest before-refactoring',
    '<%= config.bin %> sessions rename-run 3f9a0c12be77 baseline',
  ];
  static override args = {
    run: Args.string({
      description: 'Run id, run name, latest, previous or latest~N.',
      required: true,
    }),
    name: Args.string({ description: 'New name, 1 to 100 characters.', required: true }),
  };
  static override flags = { session: referenceSessionFlag };

  async run(): Promise<RenamedRunJson> {
    const { args, flags } = await this.parse(SessionsRenameRun);
    const store = await this.openResults(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const run_id = await findStoredRun(store, args.run, where);
    const run_name = await store.renameRun(run_id, args.name);
    this.log(`${run_id} is now named ${escapeTerminal(run_name)}`);
    return { ok: true, run: { run_id, run_name } };
  }
}
