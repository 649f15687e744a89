import { isObject } from '../model/json.js';
import {
  type DeclaredScale,
  isDeclaredScale,
  isScoreKey,
  maxScoreKeyLength,
} from '../model/scores/score-limits.js';
import { isOnScale, scaleText, scoreRuleFields } from '../model/scores/score-rule.js';
import { nameText } from '../text/name-text.js';
import { didYouMean } from '../text/near-names.js';
import { callMapFaults, callMapKeys } from './prices-and-rates.js';
import type { PlacedValue } from './read-yaml.js';
import { isRunConfigName } from './run-config.js';
import {
  isSettingKey,
  runConfigKeys,
  runConfigSettingKeys,
  type SettingKey,
  settingKeys,
  settingTable,
} from './setting-table.js';
import {
  type Fault,
  leftAlone,
  placeText,
  SettingsError,
  type ValuePath,
  valueText,
} from './settings-error.js';
import { type ViewDocument, viewFaults } from './views.js';

/** The run config part of a checked settings file. */
interface RunConfigDocument {
  readonly concurrency?: number | false | null | undefined;
  readonly timeout?: number | false | null | undefined;
  readonly trials?: number | false | null | undefined;
  readonly params?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The rule of a score key in a checked settings file. */
interface ScoreRuleDocument {
  readonly threshold?: number | null | undefined;
  readonly better?: 'higher' | 'lower' | null | undefined;
  readonly scale?: DeclaredScale | null | undefined;
}

/** A parsed and checked settings file; keys that assay does not know are kept. */
export interface SettingsDocument {
  readonly [key: string]: unknown;
  readonly configs?: Readonly<Record<string, RunConfigDocument | null>> | null | undefined;
  readonly scores?: Readonly<Record<string, ScoreRuleDocument | null>> | null | undefined;
  readonly rubrics?: Readonly<Record<string, string | null>> | null | undefined;
  readonly views?: Readonly<Record<string, ViewDocument | null>> | null | undefined;
}

/** Checks a parsed settings file. Throws a `SettingsError` with line and column, which names the key and its value. */
export function checkSettings({ value, placeOf }: PlacedValue): SettingsDocument {
  const [first, ...others] = fileFaults(value).map((fault) => ({
    place: placeOf(fault.path),
    text: faultText(value, fault),
  }));
  if (first === undefined) return value as SettingsDocument;
  throw new SettingsError(first.text, {
    place: first.place,
    hints: [
      ...others.slice(0, 5).map((other) => `${placeText(other.place)}: ${other.text}`),
      leftAlone,
    ],
  });
}

function faultText(value: unknown, { path, text, isAboutKey }: Fault): string {
  const received = path.reduce<unknown>(
    (at, key) => (at === null || at === undefined ? undefined : Reflect.get(Object(at), key)),
    value,
  );
  const subject =
    path.length === 0 ? 'The file' : path.map((key) => nameText(String(key))).join('.');
  return isAboutKey ? `${subject} ${text}` : `${subject} ${text}, not ${valueText(received)}.`;
}

function fileFaults(file: unknown): Fault[] {
  if (!isObject(file)) {
    return [{ path: [], text: 'must be a list of key: value, such as concurrency: 8' }];
  }
  return [
    ...settingFaults(settingKeys, file, []),
    ...entryFaults(file.configs, ['configs'], 'run configs by name', runConfigFaults),
    ...entryFaults(file.scores, ['scores'], 'rules by score key', scoreRuleFaults),
    ...entryFaults(file.rubrics, ['rubrics'], 'rubrics by score key', rubricFaults),
    ...entryFaults(file.views, ['views'], 'views by name', viewFaults),
    ...callMapKeys.flatMap((key) =>
      entryFaults(file[key], [key], `${key} by model`, (name, value, path) =>
        callMapFaults(key, name, value, path),
      ),
    ),
  ];
}

function settingFaults(
  keys: readonly SettingKey[],
  values: Readonly<Record<string, unknown>>,
  path: ValuePath,
): Fault[] {
  return keys.flatMap((key) => {
    const { expected, unset, accepts } = settingTable[key];
    const value = values[key];
    const isFine = value === undefined || unset.includes(value) || accepts(value);
    return isFine ? [] : [{ path: [...path, key], text: `must be ${expected}` }];
  });
}

/** Faults of an optional map and of its entries. */
function entryFaults(
  map: unknown,
  path: ValuePath,
  expected: string,
  faultsOf: (key: string, value: unknown, path: ValuePath) => Fault[],
): Fault[] {
  if (map === undefined || map === null) return [];
  if (!isObject(map)) return [{ path, text: `must be a list of ${expected}` }];
  return Object.entries(map).flatMap(([key, value]) => faultsOf(key, value, [...path, key]));
}

function runConfigFaults(name: string, config: unknown, path: ValuePath): Fault[] {
  if (!isRunConfigName(name)) {
    const text = 'needs a name of 1 to 100 printable characters without spaces around it';
    return [{ path, text }];
  }
  if (config === null) return [];
  if (!isObject(config)) {
    const example = 'such as concurrency, timeout, trials and params';
    return [{ path, text: `must be a list of key: value, ${example}` }];
  }
  return [
    ...settingFaults(runConfigSettingKeys, config, path),
    ...entryFaults(config.params, [...path, 'params'], 'name: value', paramFaults),
  ];
}

function paramFaults(_: string, value: unknown, path: ValuePath): Fault[] {
  return isJson(value) ? [] : [{ path, text: 'must be a JSON value' }];
}

/** `around` are the values that contain this one, because an alias may refer to one of them. */
function isJson(value: unknown, around: readonly unknown[] = []): boolean {
  if (typeof value === 'object' && value !== null) {
    if (around.includes(value)) return false;
    return Object.values(value).every((inner) => isJson(inner, [...around, value]));
  }
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value);
}

function scoreRuleFaults(key: string, rule: unknown, path: ValuePath): Fault[] {
  const fault = scoreKeyFault(key, path);
  if (fault !== undefined) return [fault];
  if (rule === null) return [];
  if (!isObject(rule)) {
    return [{ path, text: 'must be a list of key: value, such as threshold: 0.8' }];
  }
  return Object.entries(rule).flatMap(([field, value]): Fault[] => {
    const text = ruleFieldFault(field, value) ?? offScaleFault(field, value, rule.scale);
    if (text === undefined) return [];
    const isAboutKey = !(scoreRuleFields as readonly string[]).includes(field);
    return [{ path: [...path, field], text, ...(isAboutKey && { isAboutKey }) }];
  });
}

function rubricFaults(key: string, text: unknown, path: ValuePath): Fault[] {
  const fault = scoreKeyFault(key, path);
  if (fault !== undefined) return [fault];
  const isFine = text === null || (typeof text === 'string' && text.trim() !== '');
  return isFine ? [] : [{ path, text: 'must be a text' }];
}

function scoreKeyFault(key: string, path: ValuePath): Fault | undefined {
  // Objects do not take `__proto__` as a key.
  if (key !== '__proto__' && isScoreKey(key)) return undefined;
  return { path, text: `needs a score key of 1 to ${maxScoreKeyLength} characters` };
}

function offScaleFault(field: string, value: unknown, scale: unknown): string | undefined {
  if (field !== 'threshold' || value === null || !isDeclaredScale(scale)) return undefined;
  return isOnScale(value, scale) ? undefined : `must be ${scaleText(scale)}`;
}

function ruleFieldFault(field: string, value: unknown): string | undefined {
  switch (field) {
    case 'threshold':
      return value === null || Number.isFinite(value) ? undefined : 'must be a number';
    case 'better':
      return [null, 'higher', 'lower'].includes(value as null)
        ? undefined
        : 'must be higher or lower';
    case 'scale':
      return value === null || isDeclaredScale(value)
        ? undefined
        : 'must be the least and the greatest value, such as [0, 100]';
    default: {
      const hint = didYouMean(field, scoreRuleFields) ?? `It has ${scoreRuleFields.join(', ')}.`;
      return `is not part of the rule of a score. ${hint}`;
    }
  }
}

/**
 * Warnings about keys that look like typing errors, each with its place. Other unknown keys may belong to other
 * tools.
 */
export function findTypos(
  document: SettingsDocument,
  placeOf: PlacedValue['placeOf'],
): readonly string[] {
  const known = [...settingKeys, 'configs', 'scores', 'rubrics', 'views', ...callMapKeys];
  const typos: string[] = [];
  for (const key of Object.keys(document)) {
    const near = known.includes(key) ? undefined : didYouMean(key, known);
    if (near) typos.push(`${placeText(placeOf([key]))}: ${key} is not a setting. ${near}`);
  }
  for (const [name, config] of Object.entries(document.configs ?? {})) {
    for (const key of Object.keys(config ?? {})) {
      if ((runConfigKeys as readonly string[]).includes(key)) continue;
      const place = placeText(placeOf(['configs', name, key]));
      typos.push(`${place}: ${key} is not part of a run config. ${whereItBelongs(key)}`);
    }
  }
  return typos;
}

function whereItBelongs(key: string): string {
  if (isSettingKey(key)) return `It applies to all runs: move it to the top of the file.`;
  return (
    didYouMean(key, runConfigKeys) ?? 'Put values that evaluations read as ctx.params into params.'
  );
}
