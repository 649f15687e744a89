import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { BaseCommand } from '../../cli/base-command.js';
import { settingsFileName } from '../../settings/load-settings.js';

/** Answer of `assay config path --json`. */
export interface ConfigPathJson {
  readonly file: string;
  readonly file_exists: boolean;
}

export default class ConfigPath extends BaseCommand {
  static override summary = 'Print the path of the settings file, whether it exists or not.';
  static override examples = ['<%= config.bin %> config path', '$EDITOR "$(assay config path)"'];

  async run(): Promise<ConfigPathJson> {
    const { flags } = await this.parse(ConfigPath);
    // Does not read the file, so that it works for a broken one.
    const file = resolve(process.cwd(), flags.settings ?? settingsFileName);
    this.log(file);
    return { file, file_exists: existsSync(file) };
  }
}
