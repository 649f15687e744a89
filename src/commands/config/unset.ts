import { Args } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.js';
import { findSetting } from '../../settings/find-setting.js';
import { keyPathText, parseKeyPath } from '../../settings/key-path.js';
import { isSettingKey } from '../../settings/setting-table.js';
import { writeSettings } from '../../settings/write-settings.js';

/** Answer of `assay config unset KEY --json`. */
export interface ConfigUnsetJson {
  readonly key: string;
  readonly changed: boolean;
  readonly file: string;
}

export default class ConfigUnset extends BaseCommand {
  static override summary = 'Remove a setting from the settings file.';
  static override examples = [
    '<%= config.bin %> config unset timeout',
    '<%= config.bin %> config unset configs.fast',
  ];
  static override args = {
    key: Args.string({ description: 'Setting, such as timeout.', required: true }),
  };

  async run(): Promise<ConfigUnsetJson> {
    const { args, flags } = await this.parse(ConfigUnset);
    const path = parseKeyPath(args.key);
    const settings = await this.projectSettings(flags.settings, { mayBeMissing: true });
    // Also rejects unknown settings, with a suggestion.
    findSetting(settings, path);
    const key = keyPathText(path);
    const written = await writeSettings(settings.file, { [key]: undefined });
    const changed = written.changed.length > 0;
    this.log(changed ? `${key} removed from ${settings.file}` : `${key} is not in the file.`);
    const held = isSettingKey(key) ? settings.effective(key) : undefined;
    if (held?.source === 'env') this.note(`${held.from} is set and takes precedence.`);
    return { key, changed, file: settings.file };
  }
}
