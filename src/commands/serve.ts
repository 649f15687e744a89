import { Args } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { serveCommand } from '../cli/serve/serve-command.js';
import { serveFlags } from '../cli/serve/serve-flags.js';

export default class Serve extends BaseCommand {
  static override summary = 'Serve the web UI and the REST API on this machine.';
  static override usage = 'serve [PATHS...] [FLAGS]';
  static override examples = [
    '<%= config.bin %> serve evals/',
    '<%= config.bin %> serve evals/ --start --session refunds',
    '<%= config.bin %> serve --run latest',
    '<%= config.bin %> serve results.json --port 0 --no-open',
  ];
  static override args = {
    paths: Args.string({
      description: 'Evals as for run; or one saved run: its folder or an exported run JSON.',
      multiple: true,
      required: false,
    }),
  };
  static override flags = serveFlags;

  async run(): Promise<void> {
    const { args, flags } = await this.parse(Serve);
    const env = { ...process.env };
    // Fails early if the settings cannot be read, and loads .env.
    const settings = await this.projectSettings(flags.settings, {
      flags: { results_dir: flags['results-dir'], redis: flags.redis },
    });
    const code = await serveCommand({
      paths: args.paths ?? [],
      flags,
      settings,
      env,
      addedEnv: this.addedEnv,
      json: this.jsonEnabled(),
    });
    this.exit(code);
  }
}
