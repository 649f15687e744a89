import { maxConcurrency, maxTimeout, maxTrials } from '../model/limits.js';
/** The settings with a fixed meaning, in the order in which they are shown. */
export const settingKeys = [
  'concurrency',
  'timeout',
  'trials',
  'results_dir',
  'completion_notifications',
  'verbose',
  'isolate',
] as const;
export type SettingKey = (typeof settingKeys)[number];

/** One value per setting; `timeout` in seconds, `results_dir` a path. */
export interface SettingValues {
  readonly concurrency: number;
  readonly timeout: number;
  readonly trials: number;
  readonly results_dir: string;
  readonly completion_notifications: boolean;
  readonly verbose: boolean;
  readonly isolate: boolean;
}

/** What a setting may be. Zero, `null` and `false` are always allowed and leave it unset. */
export type SettingRule =
  | { readonly kind: 'integer'; readonly min: number; readonly max: number }
  | { readonly kind: 'seconds'; readonly max: number }
  | { readonly kind: 'path' }
  | { readonly kind: 'boolean' };

/** What is known of one setting. */
export interface SettingFacts<K extends SettingKey = SettingKey> {
  readonly rule: SettingRule;
  readonly default: SettingValues[K];
  /** Name of the environment variable that sets it. */
  readonly variable: string;
  /** One plain sentence. */
  readonly description: string;
}

/** Type, bounds, default and meaning of every setting: the one place where they are written down. */
export const settingFacts: { readonly [K in SettingKey]: SettingFacts<K> } = {
  concurrency: {
    rule: { kind: 'integer', min: 1, max: maxConcurrency },
    default: 8,
    variable: 'ASSAY_CONCURRENCY',
    description: 'How many evaluations run at the same time.',
  },
  timeout: {
    rule: { kind: 'seconds', max: maxTimeout },
    default: 300,
    variable: 'ASSAY_TIMEOUT',
    description: 'Seconds for one attempt: target, body and evaluators together.',
  },
  trials: {
    rule: { kind: 'integer', min: 1, max: maxTrials },
    default: 1,
    variable: 'ASSAY_TRIALS',
    description: 'How many times each evaluation runs.',
  },
  results_dir: {
    rule: { kind: 'path' },
    default: '.assay/sessions',
    variable: 'ASSAY_RESULTS_DIR',
    description: 'Folder of the saved runs, relative to the settings file.',
  },
  completion_notifications: {
    rule: { kind: 'boolean' },
    default: false,
    variable: 'ASSAY_COMPLETION_NOTIFICATIONS',
    description: 'Notify when a run has finished.',
  },
  verbose: {
    rule: { kind: 'boolean' },
    default: false,
    variable: 'ASSAY_VERBOSE',
    description: 'Show what evaluations print.',
  },
  isolate: {
    rule: { kind: 'boolean' },
    default: false,
    variable: 'ASSAY_ISOLATE',
    description: 'Give every attempt a process of its own.',
  },
};

/** The keys of a run config that override settings. */
export const runConfigSettingKeys = ['concurrency', 'timeout', 'trials'] as const;

/** Every key that a run config understands. */
export const runConfigKeys = [...runConfigSettingKeys, 'params'] as const;

/** True for the name of a setting. */
export function isSettingKey(key: string): key is SettingKey {
  return (settingKeys as readonly string[]).includes(key);
}
