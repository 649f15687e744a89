import type { SettingChange } from './edit-yaml.js';
import type { KeyPath } from './key-path.js';
import { isSettingKey, settingFacts } from './setting-keys.js';

/**
 * Reads a value given as text for `path`: a path as it stands, everything else as in YAML. Text that is no YAML
 * value, or reads as a map without braces, is taken as it stands.
 */
export async function parseSettingValue(path: KeyPath, text: string): Promise<SettingChange> {
  const key = path.join('.');
  if (isSettingKey(key) && settingFacts[key].rule.kind === 'path') return text;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) return text;
  const value: unknown = document.toJS();
  const isBracketed = /^\s*[[{]/.test(text);
  if (typeof value === 'object' && value !== null) return isBracketed ? value : text;
  // The YAML core schema has no scalars but these.
  return (value ?? null) as SettingChange;
}

/** A value as text: strings as they are, lists and maps as YAML. */
export async function renderSettingValue(value: unknown): Promise<string> {
  if (typeof value !== 'object' || value === null) return String(value);
  const { stringify } = await import('yaml');
  return stringify(value, { lineWidth: 0 }).trimEnd();
}
