import { AssayError } from '../errors.js';
import type { Rates } from '../model/calls/call-rules.js';
import type { JsonObject } from '../model/result.js';
import type { ScoreRules } from '../model/scores/score-rule.js';
import type { CallSettings, RecordingOptions } from '../recordings/recording.js';
import { didYouMean } from '../text/near-names.js';
import type { RunConfig } from './run-config.js';
import type { runConfigSettingKeys } from './setting-table.js';
import type { Settings } from './settings.js';

/**
 * A setting that evaluations and cases may override. Precedence: `flag`, the evaluation's own value, `base` (run
 * config, then environment, settings file, default).
 */
export interface OverridableSetting {
  readonly flag?: number;
  readonly base: number;
}

/** All options that a run takes from its run config and the settings. */
export interface ResolvedRunConfig {
  readonly name: string;
  readonly concurrency: number;
  /** Seconds. */
  readonly timeout: OverridableSetting;
  readonly trials: OverridableSetting;
  /** Seconds that an import may take without progress. Default 30. */
  readonly importTimeout?: number;
  /** Absolute path of the `tsconfig.json` for all files. Default: the nearest above each. */
  readonly tsconfig?: string;
  /** Run every attempt in a process of its own. Default false. */
  readonly isolate?: boolean;
  readonly calls: CallSettings;
  /** What evaluations read over their defaults: those of the run config, and {@link ownParams} over them. */
  readonly params: JsonObject;
  /** Params that the run was started with; absent for none. They are repeated when it runs again. */
  readonly ownParams?: JsonObject;
  /** Default score rules, which evaluations may override. */
  readonly scoreRules?: ScoreRules;
  /** Texts by which people label, by score key, which evaluations may override; absent for none. */
  readonly rubrics?: Settings['rubrics'];
  /** Rate limits of models, by name or host. */
  readonly rates?: Rates;
  /** US dollars that the calls of a run may cost. Default: no limit. */
  readonly maxCost?: number;
  /** Names of packages that keep no state between target and grading, beside the known ones. */
  readonly statelessPackages?: readonly string[];
}

/** The run config that exists in every project. */
export const defaultRunConfig = 'default';

/** Finds a run config by name. Throws `bad-request`, with similar names, if there is none. */
export function findRunConfig(settings: Settings, name: string): RunConfig {
  const found = settings.runConfigs.find((config) => config.name === name);
  if (found !== undefined) return found;
  const names = settings.runConfigs.map((config) => config.name);
  throw new AssayError('bad-request', `There is no run config named ${JSON.stringify(name)}.`, {
    hints: [
      didYouMean(name, names) ?? `Run configs: ${names.join(', ')}.`,
      `They are listed under configs in ${settings.file}.`,
    ],
  });
}

/**
 * Merges a run config with the settings. Precedence: flag, run config, environment, file, default. Timeout and
 * trials keep the flag separate, because evaluations and cases come between it and the rest.
 */
export function resolveRunConfig(settings: Settings, name = defaultRunConfig): ResolvedRunConfig {
  const importTimeout = settings.effective('import_timeout');
  const tsconfig = settings.effective('tsconfig').value;
  const maxCost = settings.effective('max_cost').value;
  const statelessPackages = settings.effective('stateless_packages').value;
  const config = findRunConfig(settings, name);
  const layers = (key: (typeof runConfigSettingKeys)[number]): OverridableSetting => {
    const flag = settings.flags[key];
    const base = config[key] ?? settings.withoutFlags(key).value;
    return flag === undefined ? { base } : { flag, base };
  };
  const concurrency = layers('concurrency');
  const resolved: ResolvedRunConfig = {
    name: config.name,
    concurrency: concurrency.flag ?? concurrency.base,
    timeout: layers('timeout'),
    trials: layers('trials'),
    params: config.params,
    calls: callSettings(settings),
    ...(importTimeout.source !== 'default' && { importTimeout: importTimeout.value }),
    ...(tsconfig !== null && { tsconfig }),
    ...(settings.effective('isolate').value && { isolate: true }),
    ...(settings.scoreRules && { scoreRules: settings.scoreRules }),
    ...(Object.keys(settings.rubrics).length > 0 && { rubrics: settings.rubrics }),
    ...(settings.rates && { rates: settings.rates }),
    ...(maxCost !== null && { maxCost }),
    ...(statelessPackages !== null && { statelessPackages }),
  };
  checkSeen(resolved);
  return resolved;
}

function callSettings(settings: Settings): CallSettings {
  return {
    capture: settings.effective('capture').value,
    captureMib: settings.effective('capture_mib').value,
    notModels: settings.effective('not_models').value ?? undefined,
    ...(settings.prices && { prices: settings.prices }),
    recordings: recordingOptions(settings),
  };
}

function recordingOptions(settings: Settings): RecordingOptions | undefined {
  const mode = settings.effective('recordings').value;
  if (mode === 'off') return undefined;
  const folder = settings.effective('recordings_dir').value;
  const ignore = settings.effective('recordings_ignore').value;
  const hosts = settings.effective('recordings_hosts').value;
  const normalize = settings.effective('normalize').value ?? [];
  return { mode, folder, normalize, ...(ignore && { ignore }), ...(hosts && { hosts }) };
}

/** Error: `bad-request` for options that need recorded calls while the setting `capture` is off. */
function checkSeen({ maxCost, calls }: ResolvedRunConfig): void {
  const { recordings, capture } = calls;
  if ((maxCost === undefined && recordings === undefined) || capture !== 'off') return;
  const what = maxCost === undefined ? 'Recording and replaying' : 'A limit on costs';
  throw new AssayError(
    'bad-request',
    `${what} needs to see calls, and the setting capture is off.`,
    { hints: ['Set capture to usage, which stores numbers without text.'] },
  );
}
