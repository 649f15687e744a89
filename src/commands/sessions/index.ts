import { renderSessions } from '../../cli/sessions/session-tables.js';
import { StoreCommand } from '../../cli/store-command.js';
import { streamWidth } from '../../cli/terminal/stream-width.js';
import type { RunSummary } from '../../model/run.js';
import type { Estimate } from '../../statistics/bounds.js';
import { toRunSummary } from '../../store/listing/run-json.js';
import type { ListedSession } from '../../store/store.js';

/** Answer of `assay sessions --json`; the session with the newest run comes first. */
export interface SessionsJson {
  readonly sessions: readonly {
    readonly session_name: string;
    /** The number of its runs. */
    readonly runs: number;
    readonly last_run: RunSummary;
    /** Of the last run and those before it with the same config, params and cases: at most eight, oldest first. */
    readonly pass_rates: readonly (Estimate | null)[];
  }[];
}

export default class Sessions extends StoreCommand {
  static override summary = 'List the sessions, with the last run and the trend of the pass rate.';
  static override examples = [
    '<%= config.bin %> sessions',
    '<%= config.bin %> sessions show default',
    `<%= config.bin %> sessions --json | jq -r '.sessions[].session_name'`,
  ];

  async run(): Promise<SessionsJson> {
    const { flags } = await this.parse(Sessions);
    const store = await this.openResults(flags);
    const listed = await store.listSessions();
    this.noteProblems(store.warnings);
    const sessions = listed.map(toJson);
    if (listed.length === 0) {
      this.logToStderr(`No saved runs in ${store.root} yet. Make one: ${this.config.bin} run PATH`);
    } else {
      const lines = sessions.map((session, position) => ({
        ...session,
        lastStart: listed[position]?.last.started_at_ms ?? 0,
      }));
      this.log(renderSessions(lines, { width: streamWidth(process.stdout), now: Date.now() }));
    }
    return { sessions };
  }
}

function toJson({ session_name, runs, last, recent }: ListedSession) {
  const rates = recent.map((run) => run.pass_rate);
  return { session_name, runs, last_run: toRunSummary(last), pass_rates: rates.reverse() };
}
