import type { ScoreRules } from '../model/score-rule.js';
import type { SettingsDocument } from './check-settings.js';
import type { RunConfig } from './run-config.js';
import type { SettingKey, SettingValues } from './setting-table.js';

export type SettingSource = 'flag' | 'env' | 'file' | 'default';

/** The value of a setting and where it comes from. */
export interface EffectiveSetting<K extends SettingKey = SettingKey> {
  /** `results_dir` is absolute, `timeout` in seconds. */
  readonly value: SettingValues[K];
  readonly source: SettingSource;
  /** The source in words: the flag, the environment variable, `assay.yaml:3`, or `default`. */
  readonly from: string;
}

/** The settings of one project, merged from flags, environment, settings file and defaults. */
export interface Settings {
  /** Absolute path of the settings file, whether it exists or not. */
  readonly file: string;
  /** The same as people read it: relative to the working directory for what lies in it. */
  readonly fileName: string;
  readonly fileExists: boolean;
  /** Sentences about what looks like a slip in the file. */
  readonly warnings: readonly string[];
  /** The file as it was read, unknown keys included; empty when there is none. */
  readonly document: SettingsDocument;
  /** What the file sets, as written; settings that are missing, zero, `null` or `false` are left out. */
  readonly fileValues: Partial<SettingValues>;
  /** What flags set. */
  readonly flags: Partial<SettingValues>;
  /** Every run config; `default` is always there and comes first. */
  readonly runConfigs: readonly RunConfig[];
  /** How values of scores are judged, unless an evaluation says otherwise. */
  readonly scoreRules: ScoreRules | undefined;
  /** The value that holds, and its source. */
  effective<K extends SettingKey>(key: K): EffectiveSetting<K>;
  /** The value that would hold without flags. */
  withoutFlags<K extends SettingKey>(key: K): EffectiveSetting<K>;
}
