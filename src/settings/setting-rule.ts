import type { SettingRule } from './setting-keys.js';

/** A path that a terminal, a log and a file system take as it stands: no control character in it. */
export const plainPath = /^\P{Cc}*$/u;

/** True for a value that sets what the rule is for; zero, `null` and `false` as "unset" are the caller's. */
export function acceptsSetting(rule: SettingRule, value: unknown): boolean {
  switch (rule.kind) {
    case 'integer':
      return (
        typeof value === 'number' &&
        Number.isInteger(value) &&
        value >= rule.min &&
        value <= rule.max
      );
    case 'seconds':
      return typeof value === 'number' && value > 0 && value <= rule.max;
    case 'path':
      return typeof value === 'string' && plainPath.test(value);
    case 'boolean':
      return typeof value === 'boolean';
  }
}

/** What a setting may be, in words that end a sentence such as `trials must be …`. */
export function expectedText(rule: SettingRule): string {
  switch (rule.kind) {
    case 'integer':
      return `a whole number from ${rule.min} to ${rule.max}`;
    case 'seconds':
      return `a number of seconds above 0 and at most ${rule.max}`;
    case 'path':
      return 'a path without control characters';
    case 'boolean':
      return 'true or false';
  }
}
