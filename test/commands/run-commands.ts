import { runInSharedProcess } from '../helpers/shared-process.js';

/** How one command ended. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands (`['config', 'get', 'trials']`) one after another in the working directory `cwd`. */
export async function runCommands(
  cwd: string,
  commands: readonly (readonly string[])[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult[]> {
  const { PATH, HOME } = process.env;
  const results: CommandResult[] = [];
  for (const args of commands) {
    const { signal, ...result } = await runInSharedProcess(args, cwd, { PATH, HOME, ...env });
    if (signal !== null) throw new Error(`${args.join(' ')} was ended by ${signal}`);
    results.push(result);
  }
  return results;
}
