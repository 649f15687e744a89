import { BaseCommand } from '../../cli/base-command.js';
import { renderColumns } from '../../cli/terminal/table.js';
import type { JsonObject } from '../../model/result.js';
import { resolveRunConfig } from '../../settings/resolve-run-config.js';

/** A run config with its defaults filled in. */
export interface ListedConfig {
  readonly name: string;
  readonly concurrency: number;
  /** Seconds. */
  readonly timeout: number;
  readonly trials: number;
  readonly params: JsonObject;
}

/** Answer of `assay config list-configs --json`. */
export interface ListConfigsJson {
  readonly configs: readonly ListedConfig[];
}

export default class ConfigListConfigs extends BaseCommand {
  static override summary = 'List the run configs, with their effective settings.';
  static override examples = [
    '<%= config.bin %> config list-configs',
    '<%= config.bin %> run --run-config fast',
  ];

  async run(): Promise<ListConfigsJson> {
    const { flags } = await this.parse(ConfigListConfigs);
    const settings = await this.projectSettings(flags.settings, { mayBeMissing: true });
    const configs = settings.runConfigs.map(({ name }): ListedConfig => {
      const { concurrency, timeout, trials, params } = resolveRunConfig(settings, name);
      return { name, concurrency, timeout: timeout.base, trials: trials.base, params };
    });
    this.log(
      renderColumns(['run config', 'concurrency', 'timeout', 'trials', 'params'], rows(configs)),
    );
    return { configs };
  }
}

function rows(configs: readonly ListedConfig[]): string[][] {
  return configs.map(({ name, concurrency, timeout, trials, params }) => [
    name,
    String(concurrency),
    `${timeout} s`,
    String(trials),
    Object.entries(params)
      .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
      .join(' '),
  ]);
}
