import { resolve } from 'node:path';
import { AssayError } from '../errors.js';
import { loadDotEnv } from '../settings/dot-env.js';
import { loadSettings } from '../settings/load-settings.js';
import { type SettingKey, type SettingValues, settingTable } from '../settings/setting-table.js';
import type { Settings } from '../settings/settings.js';
import { openStore, type Store } from '../store/store.js';
import { didYouMean } from '../text/near-names.js';

/** Where a project is, for every function of `assay/node`. */
export interface ProjectOptions {
  /** Working directory of evaluations and of relative paths. Default: that of the process. */
  readonly cwd?: string;
  /** Results directory, relative to `cwd`. Default: the settings'. */
  readonly resultsDir?: string;
  /** Settings file, relative to `cwd`. Default `assay.yaml` when there is one. */
  readonly settings?: string;
}

/** How a saved run is named. */
export interface RunReferenceOptions extends ProjectOptions {
  /** The session in which names and `latest` are looked up. Default: all. */
  readonly session?: string;
}

export const referenceOptionNames = ['cwd', 'resultsDir', 'settings', 'session'] as const;

export interface ReadProject {
  /** Absolute. */
  readonly cwd: string;
  /** Variables of the `.env` file. */
  readonly addedEnv: { readonly [name: string]: string };
  readonly settings: Settings;
}

/** Reads the settings of a project; `flags` come before them. */
export async function readProject(
  options: ProjectOptions,
  flags: Partial<SettingValues> = {},
): Promise<ReadProject> {
  const cwd = resolve(options.cwd ?? process.cwd());
  const addedEnv = loadDotEnv({ cwd, env: process.env });
  const { settings: file, resultsDir: results_dir } = options;
  const env = { ...process.env, ...addedEnv };
  const settings = await loadSettings({ cwd, env, file, flags: { ...flags, results_dir } });
  return { cwd, addedEnv, settings };
}

/** The same, with its results directory. */
export async function openProject(
  options: ProjectOptions,
): Promise<ReadProject & { readonly store: Store }> {
  const project = await readProject(options);
  return { ...project, store: await openStore(project.settings.effective('results_dir').value) };
}

/** Rejects unknown options, because a typo would do something else than intended. Error: `usage`. */
export function checkOptions(caller: string, options: object, names: readonly string[]): void {
  const known = new Set(names);
  for (const name of Object.keys(options)) {
    if (known.has(name)) continue;
    const hint = didYouMean(name, known);
    throw new AssayError('usage', `${caller}() has no option ${name}.`, {
      hints: hint === undefined ? [] : [hint],
    });
  }
}

/** Error: `usage` unless it is a whole number from 1. */
export function checkWhole(name: string, value: number | undefined, max = Number.MAX_SAFE_INTEGER) {
  if (value === undefined || (Number.isInteger(value) && value >= 1 && value <= max)) return value;
  throw new AssayError('usage', `${name} must be a whole number from 1, not ${String(value)}.`);
}

/** Error: `usage` unless the setting accepts it. */
export function checkSetting<K extends SettingKey>(key: K, value: SettingValues[K] | undefined) {
  const { accepts, expected } = settingTable[key];
  if (value === undefined || accepts(value)) return value;
  throw new AssayError('usage', `${key} must be ${expected}, not ${String(value)}.`);
}

/** A word, or a list of words, that are known; absent for none. Error: `usage` for another one, which would be ignored. */
export function checkWords<Word extends string>(
  name: string,
  given: Word | readonly Word[] = [],
  known: readonly Word[],
): readonly Word[] {
  const words = typeof given === 'string' ? [given] : given;
  const unknown = words.find((word) => !known.includes(word));
  if (unknown === undefined) return words;
  throw new AssayError('usage', `${name} takes ${known.join(', ')}, not ${String(unknown)}.`, {
    hints: [didYouMean(String(unknown), known) ?? []].flat(),
  });
}
