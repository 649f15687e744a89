import { isObject } from '../model/json-shape.js';
import { isRunConfigName } from './run-config-name.js';
import { isPlainScoreRules } from './score-rules.js';
import { runConfigSettingKeys, settingFacts, settingKeys } from './setting-keys.js';
import { acceptsSetting } from './setting-rule.js';
import type { SettingsDocument } from './settings-schema.js';

/**
 * True when a parsed settings file is certainly what the schema accepts. False says nothing: then the schema decides,
 * and explains. Almost every file is plainly valid, and loading the schema library costs more than all other
 * reading of settings together.
 */
export function isPlainlyValid(value: unknown): value is SettingsDocument {
  if (!isObject(value)) return false;
  const { configs, scores } = value;
  return (
    settingKeys.every((key) =>
      isUnsetOr(value[key], (v) => acceptsSetting(settingFacts[key].rule, v)),
    ) &&
    isUnsetOr(configs, (v) => isObject(v) && Object.entries(v).every(isPlainRunConfig)) &&
    isUnsetOr(scores, isPlainScoreRules)
  );
}

function isPlainRunConfig([name, config]: [string, unknown]): boolean {
  if (!isRunConfigName(name)) return false;
  if (config === null) return true;
  if (!isObject(config)) return false;
  return (
    runConfigSettingKeys.every((key) =>
      isUnsetOr(config[key], (v) => acceptsSetting(settingFacts[key].rule, v)),
    ) && isUnsetOr(config.params, (v) => isObject(v) && Object.values(v).every(isPlainScalar))
  );
}

function isPlainScalar(value: unknown): boolean {
  return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

function isUnsetOr(value: unknown, accepts: (value: unknown) => boolean): boolean {
  return value === undefined || value === null || accepts(value);
}
