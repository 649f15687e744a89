import { dirname } from 'node:path';
import { Command, Flags, type Interfaces } from '@oclif/core';
import { AssayError } from '../errors.js';
import { sweepLeftovers } from '../files/temporary-files.js';
import { loadDotEnv } from '../settings/dot-env.js';
import { type LoadSettingsOptions, loadSettings } from '../settings/load-settings.js';
import type { Settings } from '../settings/settings.js';
import { asTyped } from './as-typed.js';
import { settingsFlag } from './flags.js';
import { readKnownError, type ShownError } from './known-error.js';
import { beginOutput, hasWrittenToStdout } from './output.js';
import { coloursFor } from './terminal/colour.js';
import { forStdout, withoutSecrets } from './terminal/screen-text.js';
import { escapeLines, escapeTerminal } from './terminal/terminal-text.js';

/** Exit code of a command that could not run. */
const couldNotRun = 2;

/** The base of all commands: `--json`, `--settings`, and error output. */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true;

  static override baseFlags = {
    settings: settingsFlag,
  };

  /** The variables that the `.env` file added to the environment. */
  protected addedEnv: { readonly [name: string]: string } = {};

  protected override async init(): Promise<void> {
    await super.init();
    beginOutput();
    const { baseFlags, flags } = this.ctor;
    refuseSwitchValues(this.argv, { json: Flags.boolean(), ...baseFlags, ...flags });
  }

  /**
   * Loads the settings of the working directory, and its `.env` into the environment, which hosts inherit. Prints
   * warnings about likely typing errors on stderr.
   */
  protected async projectSettings(
    file: string | undefined,
    options: Pick<LoadSettingsOptions, 'mayBeMissing' | 'flags'> = {},
  ): Promise<Settings> {
    const cwd = process.cwd();
    // Those of an earlier load may be gone now.
    for (const name of Object.keys(this.addedEnv)) delete process.env[name];
    this.addedEnv = loadDotEnv({ cwd, env: process.env });
    Object.assign(process.env, this.addedEnv);
    const settings = await loadSettings({ cwd, env: process.env, file, ...options });
    for (const warning of settings.warnings) this.note(warning);
    sweepLeftovers(dirname(settings.file));
    return settings;
  }

  /** Prints a remark on stderr, also with --json. */
  protected note(text: string): void {
    process.stderr.write(
      `${coloursFor('stderr').yellow('!')} ${escapeTerminal(withoutSecrets(asTyped(text)))}\n`,
    );
  }

  /** Prints JSON on stdout. */
  override logJson(json: unknown): void {
    const text = JSON.stringify(json, null, 2);
    if (text !== undefined) process.stdout.write(`${forStdout(text, true)}\n`);
  }

  protected override async catch(error: Error & { exitCode?: number }): Promise<never> {
    if ('code' in error && error.code === 'EEXIT') throw error;
    const known = readKnownError(error);
    const shown = clean(known ?? { code: 'bug', message: error.message, hints: [] });
    if (this.jsonEnabled() && !hasWrittenToStdout()) this.logJson({ error: shown });
    process.stderr.write(errorText(shown));
    // A bug report needs the stack.
    if (known === undefined || process.env.DEBUG) {
      process.stderr.write(`${escapeLines(withoutSecrets(error.stack ?? '')).join('\n')}\n`);
    }
    this.exit(couldNotRun);
  }
}

/** Redacts secrets, because messages quote arguments and variables. */
function clean({ code, message, hints }: ShownError): ShownError {
  return { code, message: withoutSecrets(message), hints: hints.map(withoutSecrets) };
}

function errorText({ message, hints }: ShownError): string {
  const [first = '', ...more] = escapeLines(asTyped(message));
  const lines = [...more, ...hints.flatMap((hint) => escapeLines(asTyped(hint)))].map(
    (line) => `  ${line}\n`,
  );
  return `${coloursFor('stderr').red(`✗ ${first}`)}\n${lines.join('')}`;
}

/**
 * Rejects values for boolean flags: oclif would treat the value as an argument, and `--verbose=false` would switch
 * the flag on. Error: `usage`.
 */
function refuseSwitchValues(
  argv: readonly string[],
  flags: Readonly<Record<string, Interfaces.Flag<unknown>>>,
): void {
  const end = argv.indexOf('--');
  for (const argument of end === -1 ? argv : argv.slice(0, end)) {
    const name = /^--([^=]+)=/.exec(argument)?.[1];
    const flag = name === undefined ? undefined : flags[name];
    if (flag?.type !== 'boolean') continue;
    const ways = flag.allowNo ? `--${name} or --no-${name}` : `--${name}, or leave it out`;
    throw new AssayError('usage', `--${name} takes no value: write ${ways}.`);
  }
}
