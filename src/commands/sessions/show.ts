import { Args } from '@oclif/core';
import { renderRuns } from '../../cli/sessions/session-tables.js';
import { noSuchSession, StoreCommand } from '../../cli/store-command.js';
import { streamWidth } from '../../cli/terminal/stream-width.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import type { RunSummary } from '../../model/run.js';
import { toRunSummary } from '../../store/listing/run-json.js';
import { countOf } from '../../text/count-text.js';

/** Answer of `assay sessions show NAME --json`; newest first. */
export interface SessionRunsJson {
  readonly session_name: string;
  readonly runs: readonly RunSummary[];
}

export default class SessionsShow extends StoreCommand {
  static override summary = 'List the runs of a session, newest first.';
  static override examples = [
    '<%= config.bin %> sessions show default',
    `<%= config.bin %> sessions show default --json | jq -r '.runs[].run_id'`,
  ];
  static override args = {
    name: Args.string({ description: 'Name of the session.', required: true }),
  };

  async run(): Promise<SessionRunsJson> {
    const { args, flags } = await this.parse(SessionsShow);
    const store = await this.openResults(flags);
    const session_name = args.name.trim();
    const runs = await store.listRuns(session_name);
    this.noteProblems(store.warnings);
    if (runs.length === 0) throw await noSuchSession(store, session_name);
    const listed = runs.map(toRunSummary);
    const lines = listed.map((run, position) => ({
      ...run,
      start: runs[position]?.started_at_ms ?? 0,
    }));
    this.log(`session ${escapeTerminal(session_name)} · ${countOf(runs.length, 'run')}\n`);
    this.log(renderRuns(lines, { width: streamWidth(process.stdout), now: Date.now() }));
    return { session_name, runs: listed };
  }
}
