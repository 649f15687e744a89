import { Args } from '@oclif/core';
import { referenceSessionFlag, yesFlag } from '../../cli/flags.js';
import { StoreCommand } from '../../cli/store-command.js';
import { confirm } from '../../cli/terminal/confirm.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { findStoredRun } from '../../store/listing/resolve-reference.js';
import type { Store } from '../../store/store.js';
import { countOf } from '../../text/count-text.js';

/** Answer of `assay sessions delete-run RUN --json`. */
export interface DeletedRunJson {
  /** False if the user did not confirm. */
  readonly ok: boolean;
  readonly run_id: string;
  /** Of a group, whose base is `run_id`. */
  readonly group?: string;
  readonly run_ids?: readonly string[];
}

export default class SessionsDeleteRun extends StoreCommand {
  static override summary = 'Delete a run, or a group of runs, permanently.';
  static override description = 'Asks for confirmation; without a terminal, --yes is required.';
  static override examples = [
    '<%= config.bin %> sessions delete-run 3f9a0c12be77',
    '<%= config.bin %> sessions delete-run brisk-otter --session default --yes',
  ];
  static override args = {
    run: Args.string({
      description: 'Run id, run name, group, latest, previous or latest~N.',
      required: true,
    }),
  };
  static override flags = { session: referenceSessionFlag, yes: yesFlag };

  async run(): Promise<DeletedRunJson> {
    const { args, flags } = await this.parse(SessionsDeleteRun);
    const store = await this.openResults(flags);
    const where = { cwd: process.cwd(), session: flags.session };
    const group = await store.findGroup(args.run, where);
    if (group !== undefined) return this.#deleteGroup(store, args.run, group, flags.yes);
    const run_id = await findStoredRun(store, args.run, where);
    const name = await describe(store, run_id);
    if (!flags.yes && !(await confirm(`Delete ${name}?`))) {
      this.logToStderr('Nothing was deleted.');
      return { ok: false, run_id };
    }
    await store.deleteRun(run_id);
    this.log(`${name} was deleted`);
    return { ok: true, run_id };
  }

  async #deleteGroup(
    store: Store,
    name: string,
    ids: readonly string[],
    isConfirmed: boolean,
  ): Promise<DeletedRunJson> {
    const [run_id = ''] = ids;
    const what = `${countOf(ids.length, 'run')} of group ${escapeTerminal(name)}`;
    const answer = { run_id, group: name, run_ids: ids };
    if (!isConfirmed && !(await confirm(`Delete ${what}?`))) {
      this.logToStderr('Nothing was deleted.');
      return { ok: false, ...answer };
    }
    for (const id of ids) await store.deleteRun(id);
    this.log(`${what} were deleted`);
    return { ok: true, ...answer };
  }
}

/** Describes a run; one that cannot be read can still be deleted. */
async function describe(store: Store, runId: string): Promise<string> {
  const run = await store.openRun(runId).catch(() => undefined);
  if (run === undefined) return `run ${runId}`;
  const { run_name, session_name } = run.header;
  const results = countOf(run.rows.length, 'result');
  await run.close();
  const names = `${escapeTerminal(run_name)} (session ${escapeTerminal(session_name)}`;
  return `run ${runId}, ${names}, ${results})`;
}
