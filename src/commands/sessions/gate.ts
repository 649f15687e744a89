import { Args } from '@oclif/core';
import { referenceSessionFlag, runDescription } from '../../cli/flags.js';
import { gateFlags } from '../../cli/run/gate-flags.js';
import { selectionFlags } from '../../cli/selection-flags.js';
import {
  type GatedGroupJson,
  type GatedRunJson,
  gateGroup,
  gateRun,
} from '../../cli/sessions/gate-run.js';
import { StoreCommand } from '../../cli/store-command.js';

const select = 'SELECTION';

export default class SessionsGate extends StoreCommand {
  static override summary = 'Judge a saved run with the gates of run.';
  static override description =
    'Prints the verdicts, reports to CI, and exits as run does: 1 when a gate fails, 2 when one cannot be judged.';
  static override usage = 'sessions gate RUN [PATHS...] [FLAGS]';
  static override examples = [
    '<%= config.bin %> sessions gate nightly --fail-under 0.9 --fail-on errors',
    '<%= config.bin %> sessions gate latest --baseline evals/baseline.json --fail-on regression --reporter github',
    '<%= config.bin %> sessions gate nightly evals/support --label smoke --fail-under 0.95',
  ];
  static override args = {
    run: Args.string({ description: runDescription, required: true }),
    paths: Args.string({
      description:
        'Judge only results of these files, folders, FILE::EVALUATION or FILE::EVALUATION[CASE].',
      multiple: true,
      required: false,
    }),
  };
  static override flags = {
    ...selectionFlags(select),
    ...gateFlags,
    session: referenceSessionFlag,
  };

  async run(): Promise<GatedRunJson | GatedGroupJson> {
    const { args, flags } = await this.parse(SessionsGate);
    const { settings, store } = await this.openProject(flags);
    const group = await store.findGroup(args.run, flags);
    const options = {
      paths: args.paths ?? [],
      flags,
      settings,
      store,
      cwd: process.cwd(),
      json: this.jsonEnabled(),
      note: (text: string) => this.note(text),
    };
    const judged =
      group === undefined
        ? await gateRun({ ...options, reference: args.run })
        : await gateGroup(group, args.run, options);
    if (judged.exit_code === 0) return judged;
    if (this.jsonEnabled()) this.logJson(judged);
    return this.exit(judged.exit_code);
  }
}
