import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { AssayError } from '../../errors.js';
import { checkCreatableFolder } from '../../settings/creatable-folder.js';
import {
  type SettingKey,
  type SettingValues,
  settingSchema,
  settingTable,
} from '../../settings/setting-table.js';
import { shortHash } from '../../text/short-hash.js';
import { ProblemError } from '../http/problem.js';
import { defineRoute, json, type Route } from '../http/route.js';
import type { Workspace } from '../workspace/workspace.js';
import { ok, shownAs } from './values.js';

const tag = 'Settings';

/** Reads and writes the settings file and the run configs. */
export function settingsRoutes(workspace: Workspace): Route[] {
  return [...fileRoutes(workspace), ...configRoutes(workspace)];
}

function fileRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/config',
      operation: 'getSettings',
      tag,
      summary: 'The settings in the file.',
      answer: { description: 'The settings.', schema: fileSettings },
      problems: [400],
      handle: async () => json(shownSettings((await workspace.readSettings()).fileValues)),
    }),
    defineRoute({
      method: 'GET',
      path: '/api/config/file',
      operation: 'getSettingsFile',
      tag,
      summary:
        'The settings file, whether runs are isolated, where they run, and where files open.',
      answer: { description: 'The settings file.', schema: settingsFile },
      problems: [400],
      handle: async () => {
        const settings = await workspace.readSettings();
        const { fileName: file, fileExists: file_exists } = settings;
        const project = shortHash(settings.file);
        const isolate = settings.effective('isolate').value;
        const redis = workspace.redis?.shownUrl ?? null;
        const { cwd: folder } = workspace;
        const editor = settings.effective('editor').value;
        return json({ file, file_exists, project, isolate, redis, folder, editor });
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/api/config',
      operation: 'saveSettings',
      tag,
      summary: 'Saves five settings in the settings file.',
      description:
        'The body replaces all five. Comments, order and other keys of the file stay. A file with invalid YAML is not changed (400), nor is one that somebody else is writing or has just written (409). `results_dir` takes effect at the next restart.',
      body: settingsBody,
      answer: {
        description: 'The settings as they are now.',
        schema: z.object({ ok, config: fileSettings }).meta({ id: 'SavedSettings' }),
      },
      problems: [409, 507],
      handle: async ({ body }) => {
        if (body.results_dir) checkResultsDir(workspace.settingsFile, body.results_dir);
        // A missing key would leave its value in the file unchanged.
        const changes = Object.fromEntries(writableSettingKeys.map((key) => [key, body[key]]));
        const { fileValues } = await workspace.saveSettings(changes);
        return json({ ok: true, config: shownSettings(fileValues) });
      },
    }),
  ];
}

/** The settings that the API shows; other keys of the file also apply. */
function shownSettings(values: Partial<SettingValues>): Partial<SettingValues> {
  // The address of Redis may contain a password.
  const { isolate: _, redis: __, ...shown } = values;
  return shown;
}

function configRoutes(workspace: Workspace): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/configs',
      operation: 'listConfigs',
      tag,
      summary: 'Names of the run configs, and the one of the next run.',
      answer: { description: 'The run configs.', schema: configList },
      problems: [400],
      handle: async () => {
        const { runConfigs } = await workspace.readSettings();
        return json({
          names: runConfigs.map((config) => config.name),
          active: workspace.next.configName,
        });
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/api/configs/select',
      operation: 'selectConfig',
      tag,
      summary: 'Chooses the run config of the next run.',
      description:
        'It applies to the next new run and to the first start of a not-started one. An unknown name: 400.',
      body: selectConfigBody,
      answer: { description: 'The chosen run config.', schema: selectedConfig },
      handle: async ({ body }) =>
        json({ ok: true, active: await workspace.selectConfig(body.name) }),
    }),
  ];
}

/** Error: 400 for a folder that cannot be created. */
function checkResultsDir(file: string, path: string): void {
  try {
    checkCreatableFolder(resolve(dirname(file), path));
  } catch (cause) {
    if (!(cause instanceof AssayError)) throw cause;
    const errors = [{ pointer: '/results_dir', detail: cause.message }];
    throw new ProblemError(400, cause.message, { errors });
  }
}

/** The settings that the API writes. */
const writableSettingKeys = [
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

const settingsBody = z
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

const fileSettings = z
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
const settingsFile = z
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
    folder: z.string().meta({
      description: 'The absolute working directory: ids of results are relative to it.',
    }),
    editor: z.string().nullable().meta({ description: settingTable.editor.description }),
  })
  .meta({ id: 'SettingsFile' });

const configList = z
  .object({
    names: z.array(z.string()).meta({ description: '`default` comes first.' }),
    active: z.string().meta({ description: 'The run config of the next run.' }),
  })
  .meta({ id: 'ConfigList' });

const selectConfigBody = z.object({ name: z.string() }).meta({ id: 'SelectConfigRequest' });

const selectedConfig = z.object({ ok, active: z.string() }).meta({ id: 'SelectConfigAnswer' });
