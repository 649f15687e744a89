import { dirname, resolve } from 'node:path';
import { AssayError } from '../../errors.js';
import { checkCreatableFolder } from '../../settings/creatable-folder.js';
import type { SettingValues } from '../../settings/setting-table.js';
import { shortHash } from '../../text/short-hash.js';
import { json } from '../http/answer.js';
import { ProblemError } from '../http/problem.js';
import { defineRoute, type Route } from '../http/route.js';
import {
  configList,
  fileSettings,
  savedSettings,
  selectConfigBody,
  selectedConfig,
  settingsBody,
  settingsFile,
  writableSettingKeys,
} from '../schemas/settings.js';
import type { Workspace } from '../workspace/workspace.js';

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
      summary: 'The settings file, whether runs are isolated, and where they run.',
      answer: { description: 'The settings file.', schema: settingsFile },
      problems: [400],
      handle: async () => {
        const settings = await workspace.readSettings();
        const { fileName: file, fileExists: file_exists } = settings;
        const project = shortHash(settings.file);
        const isolate = settings.effective('isolate').value;
        const redis = workspace.redis?.shownUrl ?? null;
        return json({ file, file_exists, project, isolate, redis });
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
      answer: { description: 'The settings as they are now.', schema: savedSettings },
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
