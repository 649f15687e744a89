import { z } from 'zod';
import {
  type SettingKey,
  type SettingValues,
  settingSchema,
  settingTable,
} from '../../settings/setting-table.js';
import { ok } from './basic-values.js';
import { shownAs } from './shown-as.js';

/** The settings that the API writes. */
export const writableSettingKeys = [
  'concurrency',
  'timeout',
  'trials',
  'results_dir',
  'completion_notifications',
] as const satisfies readonly SettingKey[];
type WritableKey = (typeof writableSettingKeys)[number];

/** A setting in a body; parsed to `undefined` when it is reset to its default. */
function sentSetting<K extends WritableKey>(key: K) {
  const { expected, unset, accepts } = settingTable[key];
  const { description, ...shown } = settingSchema(key);
  return (
    z
      .unknown()
      .superRefine((value, context) => {
        if (value === undefined || unset.includes(value) || accepts(value)) return;
        context.addIssue({ code: 'custom', message: `must be ${expected}` });
      })
      // The rule of a key accepts only the type of that key.
      .transform((value) => (value || undefined) as SettingValues[K] | undefined)
      .optional()
      .meta({ description, override: shownAs(shown) })
  );
}

/** Body of a request that saves settings. */
export const settingsBody = z
  .object({
    concurrency: sentSetting('concurrency'),
    timeout: sentSetting('timeout'),
    trials: sentSetting('trials'),
    results_dir: sentSetting('results_dir'),
    completion_notifications: sentSetting('completion_notifications'),
  })
  .meta({
    id: 'SettingsRequest',
    description:
      'All five settings: a setting that is missing, `null`, zero or `false` is reset to its default. Other keys are ignored and stay in the file.',
  });

function setting(key: SettingKey) {
  const { description, schema } = settingTable[key];
  return z
    .unknown()
    .optional()
    .meta({ description, override: shownAs(schema) });
}

/** The contents of the settings file. */
export const fileSettings = z
  .object({
    concurrency: setting('concurrency'),
    timeout: setting('timeout'),
    trials: setting('trials'),
    results_dir: setting('results_dir'),
    completion_notifications: setting('completion_notifications'),
    verbose: setting('verbose'),
  })
  .meta({
    id: 'Settings',
    description: 'The settings in the file, without those that are unset, zero or `false`.',
  });

/** The location of the settings, and settings in effect that the API does not show. */
export const settingsFile = z
  .object({
    file: z.string().meta({
      description: 'Relative to the working directory if it is inside, else absolute.',
    }),
    file_exists: z
      .boolean()
      .meta({ description: 'Saving settings creates the file if it is missing.' }),
    project: z.string().meta({
      description: 'The same for every server with this file, and another one for other files.',
    }),
    isolate: z.boolean().meta({
      description: 'Whether each attempt runs in its own process, unless a request overrides it.',
    }),
    redis: z.string().nullable().meta({
      description:
        'The Redis server, without password, whose workers run evaluations; `null` if they run on this machine.',
    }),
  })
  .meta({ id: 'SettingsFile' });

/** Answer of saving settings. */
export const savedSettings = z.object({ ok, config: fileSettings }).meta({ id: 'SavedSettings' });

/** Names of the run configs. */
export const configList = z
  .object({
    names: z.array(z.string()).meta({ description: '`default` comes first.' }),
    active: z.string().meta({ description: 'The run config of the next run.' }),
  })
  .meta({ id: 'ConfigList' });

/** The run config to choose. */
export const selectConfigBody = z.object({ name: z.string() }).meta({ id: 'SelectConfigRequest' });

/** Answer of choosing a run config. */
export const selectedConfig = z
  .object({ ok, active: z.string() })
  .meta({ id: 'SelectConfigAnswer' });
