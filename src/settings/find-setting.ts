import { checkKeyPath, type KeyPath, unknownKey } from './key-path.js';
import { findRunConfig } from './resolve-run-config.js';
import { isSettingKey, runConfigSettingKeys } from './setting-table.js';
import type { EffectiveSetting, SettingSource, Settings } from './settings.js';

/** The value of a key, and its source. */
export interface FoundSetting {
  readonly value: unknown;
  readonly source: SettingSource;
  readonly from: string;
}

/**
 * Looks up any key: the effective value of a setting, a key of a run config, or any other key of the file. Throws
 * `usage` with a suggestion for an unknown key, `bad-request` for an unknown run config.
 */
export function findSetting(settings: Settings, path: KeyPath): FoundSetting {
  const [top = '', name] = path;
  if (isSettingKey(top) && path.length === 1) return settings.effective(top);
  const inFile = valueAt(settings.document, path);
  if (inFile !== undefined && isWritten(path, inFile)) {
    return { value: inFile, source: 'file', from: settings.file };
  }
  if ((top === 'configs' || top === 'scores') && name === undefined) {
    return { value: {}, source: 'default', from: 'default' };
  }
  if (top === 'configs' && name !== undefined) return findInRunConfig(settings, path, name);
  checkKeyPath(path);
  throw unknownKey(path);
}

function findInRunConfig(settings: Settings, path: KeyPath, name: string): FoundSetting {
  findRunConfig(settings, name);
  if (path.length === 2) return { value: {}, source: 'default', from: 'default' };
  checkKeyPath(path);
  const held = runConfigSettingKeys.find((key) => key === path[2]);
  if (held === undefined) throw unknownKey(path, `The run config ${name} has no such param.`);
  const { value, source, from }: EffectiveSetting = settings.withoutFlags(held);
  return { value, source, from };
}

/** True unless a setting of a run config is zero, null or false, which leaves it to the next source. */
function isWritten(path: KeyPath, value: unknown): boolean {
  const isOverride = path.length === 3 && path[0] === 'configs' && path[2] !== 'params';
  return value !== null && (!isOverride || Boolean(value));
}

function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key)
        ? Reflect.get(at, key)
        : undefined,
    value,
  );
}
