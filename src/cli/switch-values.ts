import type { Interfaces } from '@oclif/core';
import { AssayError } from '../errors.js';

/**
 * Rejects values for boolean flags: oclif would treat the value as an argument, and `--verbose=false` would switch
 * the flag on. Error: `usage`.
 */
export function refuseSwitchValues(
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
