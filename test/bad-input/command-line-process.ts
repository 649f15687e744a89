import { Config, Errors } from '@oclif/core';
import type { CommandRequest } from './command-line.js';

// Runs a command for every message, one after another, in this process. `mark` on both streams says that a command
// has said all; the message that answers has its exit code.

// Knows no commands: those of the source are run, not those that happen to be built.
const pjson = { name: 'assay', version: '0.0.0', oclif: { bin: 'assay' } };
const root = new URL('.', import.meta.url).pathname;
const config = await Config.load({ root, pjson });
const ownEnv = { ...process.env };
let turn = Promise.resolve();

process.on('message', (request: CommandRequest) => {
  turn = turn.then(() => carryOut(request));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function carryOut({ name, argv, cwd, env, mark }: CommandRequest): Promise<void> {
  process.chdir(cwd);
  process.env = { ...ownEnv, ...env };
  const failure: { code?: number; thrown?: string } = {};
  try {
    const command = await importCommand(name);
    await command.run([...argv], config);
  } catch (error) {
    if (error instanceof Errors.ExitError) failure.code = error.oclif.exit ?? 0;
    else failure.thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  process.stdout.write(mark);
  process.stderr.write(mark);
  process.send?.({ code: failure.code ?? 0, thrown: failure.thrown });
}

interface RunnableCommand {
  run(argv: string[], options: Config): Promise<unknown>;
}

async function importCommand(name: string): Promise<RunnableCommand> {
  const module: Record<string, unknown> = await import(`../../src/commands/${name}.ts`);
  const command = Object.values(module).find(
    (value): value is RunnableCommand => typeof value === 'function' && 'run' in value,
  );
  if (command === undefined) throw new Error(`there is no command ${name}`);
  return command;
}
