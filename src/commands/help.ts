import { Args, Command, loadHelpClass } from '@oclif/core';

export default class HelpCommand extends Command {
  static override summary = 'Show the help of assay or of a command.';
  static override examples = ['<%= config.bin %> help run'];
  static override args = {
    command: Args.string({ description: 'Command, such as sessions show.', multiple: true }),
  };

  async run(): Promise<void> {
    const { args } = await this.parse(HelpCommand);
    const Help = await loadHelpClass(this.config);
    await new Help(this.config, this.config.pjson.helpOptions).showHelp(args.command ?? []);
  }
}
