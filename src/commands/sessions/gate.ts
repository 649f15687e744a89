import { Args } from '@oclif/core';
import { referenceSessionFlag, runDescription } from '../../cli/flags.js';
import { gateFlags } from '../../cli/run/gate-flags.js';
import { type GatedRunJson, gateRun } from '../../cli/sessions/gate-run.js';
import { StoreCommand } from '../../cli/store-command.js';

export default class SessionsGate extends StoreCommand {
  static override summary = 'Judge a saved run with the gates of run.';
  static override description =
    'Prints the verdicts, reports to CI, and exits as run does: 1 when a gate fails, 2 when one cannot be judged.';
  static override usage = 'sessions gate RUN [FLAGS]';
  static override examples = [
    '<%= config.bin %> sessions gate nightly --fail-under 0.9 --fail-on errors',
    '<%= config.bin %> sessions gate latest --baseline evals/baseline.json --fail-on regression --reporter github',
  ];
  static override args = {
    run: Args.string({ description: runDescription, required: true }),
  };
  static override flags = { ...gateFlags, session: referenceSessionFlag };

  async run(): Promise<GatedRunJson> {
    const { args, flags } = await this.parse(SessionsGate);
    const { settings, store } = await this.openProject(flags);
    const judged = await gateRun({
      reference: args.run,
      flags,
      settings,
      store,
      json: this.jsonEnabled(),
      note: (text) => this.note(text),
    });
    if (judged.exit_code === 0) return judged;
    if (this.jsonEnabled()) this.logJson(judged);
    return this.exit(judged.exit_code);
  }
}
