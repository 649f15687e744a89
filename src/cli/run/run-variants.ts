import type { RunCommandOptions } from './run-command-options.js';

export async function runVariants(_: RunCommandOptions): Promise<number> {
  return 1;
}
