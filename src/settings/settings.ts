import type { OwnPrices, Rates } from '../model/calls/call-rules.js';
import type { ScoreRules } from '../model/scores/score-rule.js';
import type { SettingsDocument } from './check-settings.js';
import type { RunConfig } from './run-config.js';
import type { SettingKey, SettingOverrides, SettingValues } from './setting-table.js';
import type { SavedView } from './views.js';

export type SettingSource = 'flag' | 'env' | 'file' | 'default';

/** The value of a setting and its source. */
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
  /** The same for display: relative to the working directory if it is inside. */
  readonly fileName: string;
  readonly fileExists: boolean;
  /** Sentences about likely typing errors in the file. */
  readonly warnings: readonly string[];
  /** The file as read, including unknown keys; empty if there is none. */
  readonly document: SettingsDocument;
  /** Values of the file as written; settings that are missing, zero, `null` or `false` are left out. */
  readonly fileValues: Partial<SettingValues>;
  readonly flags: Partial<SettingValues>;
  /** Every run config; `default` always exists and comes first. */
  readonly runConfigs: readonly RunConfig[];
  /** Default score rules, which evaluations may override. */
  readonly scoreRules: ScoreRules | undefined;
  /** Texts by which people label, by score key, which evaluations may override. */
  readonly rubrics: Readonly<Record<string, string>>;
  /** Saved views of the dashboard, in the order of the file. */
  readonly views: readonly SavedView[];
  /** Prices of models, which come before those of the price list. */
  readonly prices: OwnPrices | undefined;
  /** Rate limits of models, by name or host. */
  readonly rates: Rates | undefined;
  /** The effective value, and its source. */
  effective<K extends SettingKey>(key: K): EffectiveSetting<K>;
  /** The same settings with these values in place of those of flags. Paths are relative to the working directory. */
  with(overrides: SettingOverrides): Settings;
  /** The value that would be effective without flags. */
  withoutFlags<K extends SettingKey>(key: K): EffectiveSetting<K>;
}
