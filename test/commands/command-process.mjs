import { Config, Errors } from '@oclif/core';

// Runs built commands one after another in this process: [[name, ...argv], …] as JSON in the last argument.
// After each, both streams get a record separator; stdout the exit code before it.

// Knows no commands: those that are asked for are imported, and nothing else.
const pjson = { name: 'assay', version: '0.0.0', oclif: { bin: 'assay' } };
const root = new URL('.', import.meta.url).pathname;
const config = await Config.load({ root, pjson });

for (const [name, ...argv] of JSON.parse(process.argv.at(-1) ?? '[]')) {
  const module = await import(`../../dist/commands/${name}.js`);
  const command = Object.values(module).find(
    (value) => typeof value === 'function' && 'run' in value,
  );
  let code = 0;
  try {
    await command.run(argv, config);
  } catch (error) {
    if (!(error instanceof Errors.ExitError)) throw error;
    code = error.oclif.exit ?? 0;
  }
  process.stdout.write(`\u001e${code}\u001e`);
  process.stderr.write('\u001e');
}
