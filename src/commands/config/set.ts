import { dirname, resolve } from 'node:path';
import { Args } from '@oclif/core';
import { BaseCommand } from '../../cli/base-command.js';
import { escapeTerminal } from '../../cli/terminal/terminal-text.js';
import { checkCreatableFolder } from '../../settings/creatable-folder.js';
import { checkKeyPath, keyPathText, parseKeyPath } from '../../settings/key-path.js';
import { isSettingKey } from '../../settings/setting-table.js';
import { parseSettingValue, renderSettingValue } from '../../settings/setting-text.js';
import { writeSettings } from '../../settings/write-settings.js';

/** Answer of `assay config set KEY VALUE --json`. */
export interface ConfigSetJson {
  readonly key: string;
  readonly value: unknown;
  readonly changed: boolean;
  readonly file: string;
}

export default class ConfigSet extends BaseCommand {
  static override summary = 'Write a setting into the settings file.';
  static override description =
    'Keeps comments, order and unknown keys of the file, and creates it if it does not exist.';
  static override examples = [
    '<%= config.bin %> config set concurrency 20',
    '<%= config.bin %> config set configs.fast.params.model gpt-4.1-mini',
    `<%= config.bin %> config set 'configs."gpt-4.1".trials' 3`,
  ];
  static override args = {
    key: Args.string({ description: 'Setting, such as timeout.', required: true }),
    value: Args.string({ description: 'Value, read as in YAML.', required: true }),
  };

  async run(): Promise<ConfigSetJson> {
    const { args, flags } = await this.parse(ConfigSet);
    const path = parseKeyPath(args.key);
    checkKeyPath(path);
    const settings = await this.projectSettings(flags.settings, { mayBeMissing: true });
    const { file } = settings;
    const key = keyPathText(path);
    const value = await parseSettingValue(path, args.value);
    if (key === 'results_dir') checkCreatableFolder(resolve(dirname(file), args.value));
    const { changed } = await writeSettings(file, { [key]: value });
    this.log(escapeTerminal(`${key}: ${await renderSettingValue(value)}   (${file})`));
    const held = isSettingKey(key) ? settings.effective(key) : undefined;
    if (held?.source === 'env')
      this.note(`${held.from} is set and takes precedence over the file.`);
    return { key, value, changed: changed.length > 0, file };
  }
}
