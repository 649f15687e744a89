import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** How one command ended. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs commands (`['config/get', 'trials']`) one after another in one process whose working directory is `cwd`. */
export async function runCommands(
  cwd: string,
  commands: readonly (readonly string[])[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult[]> {
  const script = new URL('command-process.mjs', import.meta.url).pathname;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [script, JSON.stringify(commands)],
    { cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } },
  );
  const out = stdout.split('\u001e');
  const err = stderr.split('\u001e');
  return commands.map((_, i) => ({
    code: Number(out[2 * i + 1]),
    stdout: out[2 * i] ?? '',
    stderr: err[i] ?? '',
  }));
}
