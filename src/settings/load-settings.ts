import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Json } from '../model/result.js';
import type { ScoreRules } from '../model/scores/score-rule.js';
import { shownPath } from '../text/file-path.js';
import { checkSettings, findTypos, type SettingsDocument } from './check-settings.js';
import { readCallMap } from './prices-and-rates.js';
import { type PlacedValue, readYaml } from './read-yaml.js';
import { defaultRunConfig } from './resolve-run-config.js';
import type { RunConfig } from './run-config.js';
import {
  isPathKey,
  isSettingKey,
  type SettingKey,
  type SettingOverrides,
  type SettingValues,
  settingKeys,
  settingTable,
} from './setting-table.js';
import { parseSettingText } from './setting-text.js';
import type { EffectiveSetting, Settings } from './settings.js';
import { SettingsError } from './settings-error.js';
import { readSettled } from './settled-text.js';
import { readViews } from './views.js';

/** Name of the settings file in the working directory. */
export const settingsFileName = 'assay.yaml';

export interface LoadSettingsOptions {
  /** Absolute working directory. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Another settings file, relative to `cwd`. It must exist unless `mayBeMissing` is set. */
  readonly file?: string | undefined;
  readonly mayBeMissing?: boolean;
  /** Values of flags, which take precedence over all other sources. `results_dir` is relative to `cwd`. */
  readonly flags?: SettingOverrides;
}

/**
 * Loads the settings of a project. Loads the YAML parser only if there is a settings file. Throws a `SettingsError`
 * (code `bad-settings`) that names file, line and column, or the variable.
 */
export async function loadSettings(options: LoadSettingsOptions): Promise<Settings> {
  const { cwd, env } = options;
  const name = options.file ?? settingsFileName;
  const file = resolve(cwd, name);
  const fileName = shownPath(cwd, file);
  const { text, parsed } = await readWhole(file, fileName);
  if (text === undefined && options.file !== undefined && !options.mayBeMissing) {
    throw new SettingsError(`There is no settings file ${name}.`, { place: { file } });
  }
  const folder = parsed ? dirname(file) : cwd;
  const rest = [envLayer(env, cwd), ...(parsed ? [fileLayer(parsed, folder)] : [])];
  const withFlags = (given: SettingOverrides): Settings => {
    const flags = flagLayer(given, cwd);
    return {
      ...common,
      flags: Object.fromEntries([...flags].map(([key, setting]) => [key, setting.value])),
      effective: (key) => pickSetting([flags, ...rest], key, folder),
    };
  };
  const common: Omit<Settings, 'flags' | 'effective'> = {
    file,
    fileName,
    fileExists: parsed !== undefined,
    warnings: [...(parsed?.warnings ?? []), ...misnamedFile(cwd, options.file, parsed)],
    document: parsed?.document ?? {},
    fileValues: parsed ? fileValues(parsed) : {},
    runConfigs: readRunConfigs(parsed?.document ?? {}),
    scoreRules: readScoreRules(parsed?.document ?? {}),
    rubrics: readRubrics(parsed?.document ?? {}),
    views: readViews(parsed?.document ?? {}),
    prices: readCallMap(parsed?.document.prices),
    rates: readCallMap(parsed?.document.rates),
    withoutFlags: (key) => pickSetting(rest, key, folder),
    with: withFlags,
  };
  return withFlags(options.flags ?? {});
}

/** A file that is broken may be one that an editor is writing: it is read again when it is whole. */
async function readWhole(file: string, fileName: string) {
  const parse = async (text: string | undefined) => ({
    text,
    parsed: text === undefined ? undefined : await parseFile(text, fileName),
  });
  const { text } = await readSettled(file, true);
  try {
    return await parse(text);
  } catch (error) {
    const settled = await readSettled(file);
    if (settled.text === text) throw error;
    return await parse(settled.text);
  }
}

function readRubrics({ rubrics }: SettingsDocument): Settings['rubrics'] {
  const given = Object.entries(rubrics ?? {}).flatMap(([key, text]) =>
    text === null ? [] : [[key, text.trim()] as const],
  );
  return Object.fromEntries(given);
}

/** Settings from one source; missing keys are left to the next source. */
type SettingLayer = ReadonlyMap<SettingKey, EffectiveSetting>;

/** The value of `key` in the first layer that has one; default paths are relative to `folder`. */
function pickSetting<K extends SettingKey>(
  layers: readonly SettingLayer[],
  key: K,
  folder: string,
): EffectiveSetting<K> {
  const found = layers.find((layer) => layer.has(key))?.get(key);
  // Each layer maps a key to a value of that key's type.
  if (found !== undefined) return found as EffectiveSetting<K>;
  const { default: preset } = settingTable[key];
  const isPath = isPathKey(key) && preset !== null;
  const fallback = isPath ? resolve(folder, String(preset)) : preset;
  return { value: fallback as SettingValues[K], source: 'default', from: 'default' };
}

/** A settings file, parsed and checked. */
interface ParsedSettings {
  readonly document: SettingsDocument;
  readonly placeOf: PlacedValue['placeOf'];
  readonly warnings: readonly string[];
}

async function parseFile(text: string, file: string): Promise<ParsedSettings> {
  const parsed = readYaml(await import('yaml'), text, file);
  const document = checkSettings(parsed);
  const { placeOf } = parsed;
  return { document, placeOf, warnings: [...parsed.warnings, ...findTypos(document, placeOf)] };
}

function flagLayer(flags: NonNullable<LoadSettingsOptions['flags']>, cwd: string): SettingLayer {
  const layer = new Map<keyof SettingValues, EffectiveSetting>();
  for (const key of settingKeys) {
    const given = flags[key];
    if (given === undefined) continue;
    const from = `--${key.replaceAll('_', '-')}`;
    const checked = isPathKey(key) ? parseSettingText(key, String(given), from) : given;
    if (checked === undefined) continue;
    const value = isPathKey(key) ? resolve(cwd, String(checked)) : checked;
    layer.set(key, { value, source: 'flag', from });
  }
  return layer;
}

function envLayer(env: LoadSettingsOptions['env'], cwd: string): SettingLayer {
  const layer = new Map<keyof SettingValues, EffectiveSetting>();
  for (const key of settingKeys) {
    const variable = `ASSAY_${key.toUpperCase()}`;
    const text = env[variable];
    const given = text === undefined ? undefined : parseSettingText(key, text, variable);
    if (given === undefined) continue;
    const value = isPathKey(key) ? resolve(cwd, String(given)) : given;
    layer.set(key, { value, source: 'env', from: variable });
  }
  return layer;
}

function fileLayer(parsed: ParsedSettings, folder: string): SettingLayer {
  const layer = new Map<keyof SettingValues, EffectiveSetting>();
  for (const [key, given] of Object.entries(fileValues(parsed))) {
    if (!isSettingKey(key)) continue;
    const { file, line } = parsed.placeOf([key]);
    const value = isPathKey(key) ? resolve(folder, String(given)) : given;
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

/** The run configs of a settings file in order, `default` first. */
function readRunConfigs(document: SettingsDocument): RunConfig[] {
  const named = Object.entries(document.configs ?? {}).map(
    ([name, config]): RunConfig => ({
      name,
      ...(config?.concurrency && { concurrency: config.concurrency }),
      ...(config?.timeout && { timeout: config.timeout }),
      ...(config?.trials && { trials: config.trials }),
      // The schema has checked that params are JSON.
      params: (config?.params ?? {}) as { readonly [key: string]: Json },
    }),
  );
  const first = named.find((config) => config.name === defaultRunConfig);
  return [
    first ?? { name: defaultRunConfig, params: {} },
    ...named.filter((config) => config !== first),
  ];
}

/** The score rules of a checked settings file; `undefined` without any. */
function readScoreRules({ scores }: SettingsDocument): ScoreRules | undefined {
  const rules = Object.entries(scores ?? {}).map(([key, rule]) => {
    const { threshold, better, scale } = rule ?? {};
    // An empty value in YAML is null.
    const known = {
      ...(typeof threshold === 'number' && { threshold }),
      ...(better && { better }),
      ...(scale && { scale }),
    };
    return [key, known] as const;
  });
  return rules.length === 0 ? undefined : Object.fromEntries(rules);
}
