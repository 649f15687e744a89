import { Args } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.js';
import { type FoundSetting, findSetting } from '../../settings/find-setting.js';
import { keyPathText, parseKeyPath } from '../../settings/key-path.js';
import { renderSettingValue } from '../../settings/setting-text.js';

/** Answer of `assay config get KEY --json`. */
export interface ConfigGetJson extends FoundSetting {
  readonly key: string;
}

export default class ConfigGet extends BaseCommand {
  static override summary = 'Print the value of a setting.';
  static override examples = [
    '<%= config.bin %> config get concurrency',
    '<%= config.bin %> config get configs.fast.params.model',
  ];
  static override args = {
    key: Args.string({ description: 'Setting, such as timeout.', required: true }),
  };

  async run(): Promise<ConfigGetJson> {
    const { args, flags } = await this.parse(ConfigGet);
    const path = parseKeyPath(args.key);
    const settings = await this.projectSettings(flags.settings, { mayBeMissing: true });
    const found = findSetting(settings, path);
    this.log(await renderSettingValue(found.value));
    return { key: keyPathText(path), ...found };
  }
}
