import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { shownPath } from '../text/file-path.js';
import { readTextFile } from './read-text-file.js';
import type { PlacedValue } from './read-yaml.js';
import { readRunConfigs } from './run-configs.js';
import { readScoreRules } from './score-rules.js';
import { isSettingKey, type SettingValues, settingFacts, settingKeys } from './setting-keys.js';
import { parseSettingText } from './setting-text.js';
import {
  type EffectiveSetting,
  pickSetting,
  type SettingLayer,
  type Settings,
} from './settings.js';
import { SettingsError } from './settings-error.js';
import type { SettingsDocument } from './settings-schema.js';

/** Name of the settings file in the working directory. */
export const settingsFileName = 'assay.yaml';

export interface LoadSettingsOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Another settings file, relative to `cwd`. It has to exist unless `mayBeMissing` is set. */
  readonly file?: string | undefined;
  readonly mayBeMissing?: boolean;
  /** Values of flags; they win over everything. `results_dir` is relative to `cwd`. */
  readonly flags?: { readonly [K in keyof SettingValues]?: SettingValues[K] | undefined };
}

/**
 * Loads the settings of a project. Without a settings file neither YAML nor schema code is loaded.
 * Throws a `SettingsError` (code `bad-settings`) that names file, line and column, or the variable.
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<Settings> {
  const { cwd, env } = options;
  const name = options.file ?? settingsFileName;
  const file = resolve(cwd, name);
  const text = readTextFile(file, 'The settings file');
  if (text === undefined && options.file !== undefined && !options.mayBeMissing) {
    throw new SettingsError(`There is no settings file ${name}.`, { place: { file } });
  }
  const fileName = shownPath(cwd, file);
  const parsed = text === undefined ? undefined : await parseFile(text, fileName);
  const folder = parsed ? dirname(file) : cwd;
  const flags = flagLayer(options.flags ?? {}, cwd);
  const rest = [envLayer(env, cwd), ...(parsed ? [fileLayer(parsed, folder)] : [])];
  const resultsDir = resolve(folder, settingFacts.results_dir.default);
  return {
    file,
    fileName,
    fileExists: parsed !== undefined,
    warnings: [...(parsed?.warnings ?? []), ...misnamedFile(cwd, options.file, parsed)],
    document: parsed?.document ?? {},
    fileValues: parsed ? fileValues(parsed) : {},
    flags: Object.fromEntries([...flags].map(([key, setting]) => [key, setting.value])),
    runConfigs: readRunConfigs(parsed?.document ?? {}),
    scoreRules: readScoreRules(parsed?.document ?? {}),
    effective: (key) => pickSetting([flags, ...rest], key, resultsDir),
    withoutFlags: (key) => pickSetting(rest, key, resultsDir),
  };
}

/** A settings file, parsed and checked. */
interface ParsedSettings {
  readonly document: SettingsDocument;
  readonly placeOf: PlacedValue['placeOf'];
  readonly warnings: readonly string[];
}

async function parseFile(text: string, file: string): Promise<ParsedSettings> {
  const [{ readYaml }, { isPlainlyValid }, yaml] = await Promise.all([
    import('./read-yaml.js'),
    import('./plainly-valid.js'),
    import('yaml'),
  ]);
  const parsed = readYaml(yaml, text, file);
  const { value, placeOf } = parsed;
  const document = isPlainlyValid(value) ? value : await checkBySchema(parsed);
  const { findSlips } = await import('./setting-warnings.js');
  return { document, placeOf, warnings: [...parsed.warnings, ...findSlips(document, placeOf)] };
}

async function checkBySchema(parsed: PlacedValue): Promise<SettingsDocument> {
  const [{ checkSettings }, { settingsSchema }] = await Promise.all([
    import('./check-settings.js'),
    import('./settings-schema.js'),
  ]);
  return checkSettings(await settingsSchema(), parsed);
}

function flagLayer(flags: NonNullable<LoadSettingsOptions['flags']>, cwd: string): SettingLayer {
  const layer = new Map<keyof SettingValues, EffectiveSetting>();
  for (const key of settingKeys) {
    const given = flags[key];
    if (given === undefined) continue;
    const from = `--${key.replaceAll('_', '-')}`;
    const checked = key === 'results_dir' ? parseSettingText(key, String(given), from) : given;
    if (checked === undefined) continue;
    const value = key === 'results_dir' ? resolve(cwd, String(checked)) : checked;
    layer.set(key, { value, source: 'flag', from });
  }
  return layer;
}

function envLayer(env: LoadSettingsOptions['env'], cwd: string): SettingLayer {
  const layer = new Map<keyof SettingValues, EffectiveSetting>();
  for (const key of settingKeys) {
    const { variable } = settingFacts[key];
    const text = env[variable];
    const given = text === undefined ? undefined : parseSettingText(key, text, variable);
    if (given === undefined) continue;
    const value = key === 'results_dir' ? resolve(cwd, String(given)) : given;
    layer.set(key, { value, source: 'env', from: variable });
  }
  return layer;
}

function fileLayer(parsed: ParsedSettings, folder: string): SettingLayer {
  const layer = new Map<keyof SettingValues, EffectiveSetting>();
  for (const [key, given] of Object.entries(fileValues(parsed))) {
    if (!isSettingKey(key)) continue;
    const { file, line } = parsed.placeOf([key]);
    const value = key === 'results_dir' ? resolve(folder, String(given)) : given;
    layer.set(key, { value, source: 'file', from: line === undefined ? file : `${file}:${line}` });
  }
  return layer;
}

function fileValues({ document }: ParsedSettings): Partial<SettingValues> {
  return Object.fromEntries(
    settingKeys.flatMap((key) => (document[key] ? [[key, document[key]]] : [])),
  );
}

function misnamedFile(
  cwd: string,
  named: string | undefined,
  parsed: ParsedSettings | undefined,
): string[] {
  if (parsed !== undefined || named !== undefined) return [];
  return existsSync(resolve(cwd, 'assay.yml'))
    ? [`assay.yml is not read: rename it to ${settingsFileName}.`]
    : [];
}
