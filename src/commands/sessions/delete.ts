import { Args } from '@oclif/core';
import { yesFlag } from '../../cli/flags.js';
import { noSuchSession, StoreCommand } from '../../cli/store-command.js';
import { confirm } from '../../cli/terminal/confirm.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { countOf } from '../../text/count-text.js';

/** Answer of `assay sessions delete NAME --json`. */
export interface DeletedSessionJson {
  /** False if the user did not confirm. */
  readonly ok: boolean;
  readonly session_name: string;
  /** The number of deleted runs. */
  readonly deleted_runs: number;
}

export default class SessionsDelete extends StoreCommand {
  static override summary = 'Delete a session and all its runs permanently.';
  static override description = 'Asks for confirmation; without a terminal, --yes is required.';
  static override examples = [
    '<%= config.bin %> sessions delete feature/refunds',
    '<%= config.bin %> sessions delete feature/refunds --yes',
  ];
  static override args = {
    name: Args.string({ description: 'Name of the session.', required: true }),
  };
  static override flags = { yes: yesFlag };

  async run(): Promise<DeletedSessionJson> {
    const { args, flags } = await this.parse(SessionsDelete);
    const store = await this.openResults(flags);
    const session_name = args.name.trim();
    const { length } = await store.listRuns(session_name);
    if (length === 0) throw await noSuchSession(store, session_name);
    const runs = length === 1 ? 'its only run' : `its ${countOf(length, 'run')}`;
    const what = `session ${escapeTerminal(session_name)} and ${runs}`;
    if (!flags.yes && !(await confirm(`Delete ${what}?`))) {
      this.logToStderr('Nothing was deleted.');
      return { ok: false, session_name, deleted_runs: 0 };
    }
    await store.deleteSession(session_name);
    this.log(`${what} were deleted`);
    return { ok: true, session_name, deleted_runs: length };
  }
}
