import { BaseCommand } from '../../cli/base-command.js';
import { coloursFor } from '../../cli/terminal/colour.js';
import { renderColumns } from '../../cli/terminal/table.js';
import { settingKeys } from '../../settings/setting-table.js';
import type { EffectiveSetting } from '../../settings/settings.js';

/** Answer of `assay config --json`. */
export interface ConfigJson {
  readonly file: string;
  readonly file_exists: boolean;
  readonly settings: Readonly<Record<string, EffectiveSetting>>;
  readonly configs: readonly string[];
}

export default class Config extends BaseCommand {
  static override summary = 'Show the settings in effect, and where each comes from.';
  static override examples = [
    '<%= config.bin %> config',
    '<%= config.bin %> config --json | jq .settings.concurrency.value',
    '<%= config.bin %> config set concurrency 20',
  ];

  async run(): Promise<ConfigJson> {
    const { flags } = await this.parse(Config);
    const settings = await this.projectSettings(flags.settings, { mayBeMissing: true });
    const effective = settingKeys.map((key) => [key, settings.effective(key)] as const);
    const configs = settings.runConfigs.map((config) => config.name);
    const rows = effective.map(([key, { value, from }]) => [key, String(value ?? 'none'), from]);
    const missing = settings.fileExists ? '' : ' (does not exist yet)';
    this.log(renderColumns(['setting', 'value', 'from'], rows));
    this.log(`\n${coloursFor('stdout').dim('file')}          ${settings.file}${missing}`);
    this.log(`${coloursFor('stdout').dim('run configs')}   ${configs.join(', ')}`);
    return {
      file: settings.file,
      file_exists: settings.fileExists,
      settings: Object.fromEntries(effective),
      configs,
    };
  }
}
