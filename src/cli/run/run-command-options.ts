import type { RowKind } from '../../runner/choose-rows.js';
import type { ExecutionSettings } from '../../runner/runner.js';
import type { Settings } from '../../settings/settings.js';

/** The flags of `assay run`, parsed. */
export interface RunCommandFlags {
  readonly dataset?: readonly string[] | undefined;
  readonly label?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly ignore?: readonly string[] | undefined;
  readonly list: boolean;
  readonly 'allow-only': boolean;
  readonly workers?: number | undefined;
  readonly 'run-config'?: string | undefined;
  readonly session?: string | undefined;
  readonly 'run-name'?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly rerun?: string | undefined;
  readonly resume?: string | undefined;
  readonly regrade?: string | undefined;
  readonly only?: readonly RowKind[] | undefined;
  readonly prune: boolean;
  readonly 'no-save': boolean;
  readonly output?: string | undefined;
  readonly 'fail-under'?: readonly string[] | undefined;
  readonly 'fail-on'?: readonly string[] | undefined;
  readonly baseline?: string | undefined;
  readonly 'ignore-errors'?: boolean | undefined;
  readonly bless?: string | undefined;
  readonly reporter?: readonly string[] | undefined;
  readonly 'results-dir'?: string | undefined;
}

/** What `assay run` was called with. */
export interface RunCommandOptions {
  readonly paths: readonly string[];
  readonly flags: RunCommandFlags;
  readonly settings: Settings;
  readonly addedEnv: { readonly [name: string]: string };
  readonly json: boolean;
}

/** How evaluations are run, by the flags and a run config. */
export function executionSettings(
  { flags, settings }: RunCommandOptions,
  config: ExecutionSettings['config'],
): ExecutionSettings {
  return {
    config,
    workers: flags.workers ?? 1,
    streamLogs: flags.verbose ?? settings.effective('verbose').value,
  };
}
