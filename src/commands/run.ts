import { Args } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { runCommand, savedRun, withVariants } from '../cli/run/run-command.js';
import type { RunCommandOptions } from '../cli/run/run-command-options.js';
import { type RunFlags, runFlags, settingsOf, withFlagValues } from '../cli/run/run-flags.js';
import type { WatchedOptions } from '../cli/run/watch/watch-session.js';
import { openStore } from '../store/store.js';

export default class Run extends BaseCommand {
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

  override async init(): Promise<void> {
    this.argv = withFlagValues(this.argv);
    await super.init();
  }

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Run);
    const { settings } = await this.#load(flags);
    const options = {
      paths: args.paths ?? [],
      flags,
      settings,
      addedEnv: this.addedEnv,
      json: this.jsonEnabled(),
    };
    const code = flags.watch
      ? await this.#watch({ ...options, reload: () => this.#load(flags) })
      : await this.#run(await withVariants(options));
    // The parser of ioredis keeps a timer for up to a second after a large reply: do not wait for it.
    if (code !== 0 || settings.effective('redis').value !== null) this.exit(code);
  }

  async #run({ variants, ...options }: RunCommandOptions): Promise<number> {
    if (variants === undefined) return (await this.#runGroup(options)) ?? runCommand(options);
    if (variants.count === 1) return runCommand({ ...options, variants });
    const { runVariants } = await import('../cli/run/run-variants.js');
    return runVariants({ ...options, variants });
  }

  /** Runs the runs of a group again that `--rerun`, `--resume` or `--regrade` names; `undefined` for others. */
  async #runGroup(options: RunCommandOptions): Promise<number | undefined> {
    const { flags, settings } = options;
    const reference = savedRun(flags);
    if (reference === undefined) return undefined;
    const store = await openStore(settings.effective('results_dir').value);
    const ids = await store.findGroup(reference, { session: flags.session });
    if (ids === undefined) return undefined;
    const lack = await store.lackOfGroup(ids);
    if (lack !== undefined) this.note(lack);
    const { runSavedGroup } = await import('../cli/run/run-variants.js');
    return runSavedGroup(options, ids);
  }

  async #watch(options: WatchedOptions): Promise<number> {
    const { watchCommand } = await import('../cli/run/watch/watch-command.js');
    return watchCommand(options);
  }

  /** Loads settings and `.env`, also again after they have changed. */
  async #load(
    flags: RunFlags & { readonly settings?: string | undefined },
  ): Promise<Pick<RunCommandOptions, 'settings' | 'addedEnv'>> {
    const settings = await this.projectSettings(flags.settings, { flags: settingsOf(flags) });
    return { settings, addedEnv: this.addedEnv };
  }
}
