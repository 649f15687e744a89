import type { SettingChange } from './edit-yaml.js';
import type { KeyPath } from './key-path.js';
import { isPathKey, type SettingKey, type SettingValues, settingTable } from './setting-table.js';
import { SettingsError, valueText } from './settings-error.js';

/**
 * Parses a setting from an environment variable or a flag. `undefined` if the text leaves it unset: blank, or for a
 * number `0`, `null` or `false`. `name` is used in errors.
 */
export function parseSettingText<K extends SettingKey>(
  key: K,
  text: string,
  name: string,
): SettingValues[K] | undefined {
  const setting = settingTable[key];
  const value = text.trim() === '' ? null : setting.parse(text);
  if (value === null) return undefined;
  if (setting.accepts(value)) return value as SettingValues[K];
  throw new SettingsError(`${name} must be ${setting.expected}, not ${valueText(text)}.`, {
    hints: [`Set it to ${setting.expected}, or unset it.`],
  });
}

/**
 * Parses a value given as text for `path`: a path unchanged, everything else as YAML. Text that is not a YAML
 * value, or is a map without braces, is used unchanged.
 */
export async function parseSettingValue(path: KeyPath, text: string): Promise<SettingChange> {
  if (isPathKey(path.join('.'))) return text;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) return text;
  const value: unknown = document.toJS();
  const isBracketed = /^\s*[[{]/.test(text);
  if (typeof value === 'object' && value !== null) return isBracketed ? value : text;
  // The YAML core schema has no other scalars.
  return (value ?? null) as SettingChange;
}

/** Renders a value as text: strings unchanged, lists and maps as YAML. */
export async function renderSettingValue(value: unknown): Promise<string> {
  if (typeof value !== 'object' || value === null) return String(value);
  const { stringify } = await import('yaml');
  return stringify(value, { lineWidth: 0 }).trimEnd();
}
