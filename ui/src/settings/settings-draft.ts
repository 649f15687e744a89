import type { Settings, SettingsRequest } from '../api/schema.js';

/** The edited settings as text; an empty text leaves a setting unset. */
export interface SettingsDraft {
  readonly concurrency: string;
  readonly timeout: string;
  readonly trials: string;
  readonly results_dir: string;
  readonly completion_notifications: boolean;
}

export type SettingName = keyof SettingsDraft;

export const settingNames: readonly SettingName[] = [
  'concurrency',
  'timeout',
  'trials',
  'results_dir',
  'completion_notifications',
];

/** Error messages by setting. */
export type SettingFaults = Readonly<Partial<Record<SettingName, string>>>;

const bounds = {
  concurrency: { isWhole: true, least: 'A whole number from 1 to 1000', most: 1000 },
  timeout: { isWhole: false, least: 'Seconds above 0, up to 86,400', most: 86_400 },
  trials: { isWhole: true, least: 'A whole number from 1 to 1000', most: 1000 },
} as const;

/** The draft for the settings of a file. */
export function draftOf(settings: Settings): SettingsDraft {
  const { concurrency, timeout, trials, results_dir, completion_notifications } = settings;
  return {
    concurrency: textOf(concurrency),
    timeout: textOf(timeout),
    trials: textOf(trials),
    results_dir: textOf(results_dir),
    completion_notifications: completion_notifications === true,
  };
}

/** Validates a draft by the rules of the server. */
export function faultsOf(draft: SettingsDraft): SettingFaults {
  const names = ['concurrency', 'timeout', 'trials'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const fault = faultOf(name, draft[name]);
      return fault === undefined ? [] : [[name, fault]];
    }),
  );
}

function faultOf(name: keyof typeof bounds, text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const value = Number(trimmed);
  const { isWhole, least, most } = bounds[name];
  if (Number.isNaN(value)) return `${least}.`;
  if (value > most) return `${least}; ${trimmed} is too many.`;
  // Zero means the default, as in the file.
  if (value < 0) return `${least}; ${trimmed} is too few.`;
  return isWhole && !Number.isInteger(value) ? `${least}.` : undefined;
}

/** The request body: all five settings, `null` for those reset to their default. */
export function requestOf(draft: SettingsDraft): SettingsRequest {
  return {
    concurrency: numberOf(draft.concurrency),
    timeout: numberOf(draft.timeout),
    trials: numberOf(draft.trials),
    results_dir: draft.results_dir.trim() === '' ? null : draft.results_dir.trim(),
    completion_notifications: draft.completion_notifications,
  };
}

/** Errors from the server by setting; `rest`: errors of no setting. */
export function faultsFrom(errors: readonly { pointer: string; detail: string }[]): {
  readonly faults: SettingFaults;
  readonly rest: readonly string[];
} {
  const faults: Partial<Record<string, string>> = {};
  const rest: string[] = [];
  for (const { pointer, detail } of errors) {
    const name = pointer.replace(/^\//, '');
    if (isSetting(name)) faults[name] ??= sentence(detail);
    else rest.push(sentence(detail));
  }
  return { faults, rest };
}

function isSetting(name: string): name is SettingName {
  return (settingNames as readonly string[]).includes(name);
}

function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

function textOf(value: string | number | undefined): string {
  return value === undefined ? '' : String(value);
}

function numberOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
