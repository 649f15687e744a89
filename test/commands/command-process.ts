import { Config, Errors } from '@oclif/core';

// Runs commands one after another in this process: [[name, ...argv], …] as JSON in the last argument.
// After each, both streams get a record separator; stdout the exit code before it.

// Knows no commands: those of the source are run, not those that happen to be built.
const pjson = { name: 'assay', version: '0.0.0', oclif: { bin: 'assay' } };
const root = new URL('.', import.meta.url).pathname;
const config = await Config.load({ root, pjson });
const commands: [string, ...string[]][] = JSON.parse(process.argv.at(-1) ?? '[]');

for (const [name, ...argv] of commands) {
  const module = await import(`../../src/commands/${name}.ts`);
  const command = Object.values(module).find(
    (value): value is { run(argv: string[], options: Config): Promise<unknown> } =>
      typeof value === 'function' && 'run' in value,
  );
  let code = 0;
  try {
    await command?.run(argv, config);
  } catch (error) {
    if (!(error instanceof Errors.ExitError)) throw error;
    code = error.oclif.exit ?? 0;
  }
  process.stdout.write(`\u001e${code}\u001e`);
  process.stderr.write('\u001e');
}
