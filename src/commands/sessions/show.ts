import { Args, Flags } from '@oclif/core';
import { renderRuns } from '../../cli/sessions/session-tables.js';
import { renderTrend } from '../../cli/sessions/trend-report.js';
import { noSuchSession, StoreCommand } from '../../cli/store-command.js';
import { streamWidth } from '../../cli/terminal/stream-width.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import type { Trend } from '../../compare/trend/trend.js';
import { TrendReader } from '../../compare/trend/trend-reader.js';
import { AssayError } from '../../errors.js';
import type { RunSummary } from '../../model/run.js';
import { type ListedRun, toRunSummary } from '../../store/listing/run-json.js';
import type { Store } from '../../store/store.js';
import { countOf } from '../../text/count-text.js';
import { didYouMean } from '../../text/near-names.js';

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
    '<%= config.bin %> sessions show default --trend',
  ];
  static override args = {
    name: Args.string({ description: 'Name of the session.', required: true }),
  };

  static override flags = {
    trend: Flags.boolean({
      description:
        'Show how pass rate, scores, cost and latency changed, and which changes are beyond chance.',
    }),
    config: Flags.string({
      description:
        'With --trend: the config whose runs the line joins. Default: that of the newest finished run.',
      helpValue: 'NAME',
      dependsOn: ['trend'],
    }),
    baseline: Flags.string({
      description:
        'With --trend: the run from which limits count on. Default: the oldest run of the line.',
      helpValue: 'RUN',
      dependsOn: ['trend'],
    }),
  };

  async run(): Promise<SessionRunsJson | Trend> {
    const { args, flags } = await this.parse(SessionsShow);
    const store = await this.openResults(flags);
    const session_name = args.name.trim();
    const runs = await store.listRuns(session_name);
    this.noteProblems(store.warnings);
    if (runs.length === 0) throw await noSuchSession(store, session_name);
    if (flags.trend) return this.#trend(store, session_name, runs, flags);
    const listed = runs.map(toRunSummary);
    const lines = listed.map((run, position) => ({
      ...run,
      start: runs[position]?.started_at_ms ?? 0,
    }));
    this.log(`session ${escapeTerminal(session_name)} · ${countOf(runs.length, 'run')}\n`);
    this.log(renderRuns(lines, { width: streamWidth(process.stdout), now: Date.now() }));
    return { session_name, runs: listed };
  }

  async #trend(
    store: Store,
    session: string,
    runs: readonly ListedRun[],
    {
      config,
      baseline: reference,
    }: { readonly config?: string | undefined; readonly baseline?: string | undefined },
  ): Promise<Trend> {
    const configs = [...new Set(runs.map(({ config_name }) => config_name))];
    if (config !== undefined && !configs.includes(config)) {
      const text = `No run of session ${session} has the config ${config}.`;
      throw new AssayError('usage', text, {
        hints: [didYouMean(config, configs) ?? `Its configs: ${configs.join(', ')}.`],
      });
    }
    const baseline =
      reference === undefined ? undefined : await store.findRun(reference, { session });
    const trend = await new TrendReader(() => store).read(session, runs, { config, baseline });
    this.log(renderTrend(trend, streamWidth(process.stdout)));
    return trend;
  }
}
