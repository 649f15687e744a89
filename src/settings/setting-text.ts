import {
  type SettingKey,
  type SettingRule,
  type SettingValues,
  settingFacts,
} from './setting-keys.js';
import { acceptsSetting, expectedText } from './setting-rule.js';
import { SettingsError, valueText } from './settings-error.js';

/**
 * Reads a setting from text, as it stands in an environment variable. `undefined` when the text leaves
 * it unset: blank, or for a number `0`, `null` or `false`. `name` is what the error calls it.
 */
export function parseSettingText<K extends SettingKey>(
  key: K,
  text: string,
  name: string,
): SettingValues[K] | undefined {
  const { rule } = settingFacts[key];
  const isNumber = rule.kind === 'integer' || rule.kind === 'seconds';
  if (text.trim() === '' || (isNumber && /^\s*(0+(\.0*)?|null|false)\s*$/i.test(text))) {
    return undefined;
  }
  const value = parseByKind(rule.kind, text);
  if (!acceptsSetting(rule, value)) {
    throw new SettingsError(`${name} must be ${expectedText(rule)}, not ${valueText(text)}.`, {
      hints: [`Set it to ${expectedText(rule)}, or unset it.`],
    });
  }
  // The rule of a key accepts only the type of that key.
  return value as SettingValues[K];
}

function parseByKind(
  kind: SettingRule['kind'],
  text: string,
): number | string | boolean | undefined {
  switch (kind) {
    case 'path':
      return text;
    case 'boolean':
      return parseBoolean(text);
    case 'integer':
    case 'seconds':
      return parseNumber(text);
  }
}

function parseNumber(text: string): number | undefined {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim()) ? Number(text) : undefined;
}

function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off', 'null'].includes(word)) return false;
  return undefined;
}
