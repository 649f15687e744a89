import { Args } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { runCommand } from '../cli/run/run-command.js';
import { recordingsFlag, runFlags } from '../cli/run/run-flags.js';

export class Run extends BaseCommand {
  static override summary = 'Run evaluations and save the results.';
  static override usage = 'run [PATHS...] [FLAGS]';
  static override examples = [
    '<%= config.bin %> run evals/',
    '<%= config.bin %> run "evals/support.eval.ts::refund[polite]" --trials 5',
    '<%= config.bin %> run evals --label smoke --fail-under 0.9 --fail-on errors',
    '<%= config.bin %> run --rerun latest --only failed',
    '<%= config.bin %> run --regrade latest --json',
  ];
  static override args = {
    paths: Args.string({
      description:
        'Files, folders, FILE::EVALUATION or FILE::EVALUATION[CASE]; with a saved run, they select its rows.',
      multiple: true,
      required: false,
    }),
  };
  static override flags = runFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Run);
    const { concurrency, timeout, trials, isolate } = flags;
    const settings = await this.projectSettings(flags.settings, {
      flags: {
        concurrency,
        timeout,
        trials,
        isolate,
        max_cost: flags['max-cost'],
        redis: flags.redis,
        recordings: recordingsFlag(flags),
        results_dir: flags['results-dir'],
      },
    });
    const code = await runCommand({
      paths: args.paths ?? [],
      flags,
      settings,
      addedEnv: this.addedEnv,
      json: this.jsonEnabled(),
    });
    if (code !== 0) this.exit(code);
  }

  /** Skips `undefined`: the run JSON has been streamed already. */
  protected override logJson(json: unknown): void {
    if (json !== undefined) super.logJson(json);
  }
}
