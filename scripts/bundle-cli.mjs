// Bundles the command line and oclif into dist/cli-bundle: a command then loads a dozen files instead of more than a
// hundred and fifty, and every command waits for that. docs/decisions/0008-bundled-command-line.md
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

await build({
  absWorkingDir: root,
  entryPoints: [
    ...globSync('dist/commands/**/*.js', { cwd: root }),
    'dist/cli/main.js',
    'dist/cli/help.js',
    'dist/cli/command-not-found.js',
    'dist/runner/spawn-host.js',
  ],
  outbase: 'dist',
  outdir: 'dist/cli-bundle',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  keepNames: true,
  // Loaded only when they are needed, or, like typescript, only by developers of oclif itself.
  external: [
    'compression',
    'csv-parse',
    'csv-stringify',
    'open',
    'polka',
    'sirv',
    'tinyglobby',
    'typescript',
    'ts-node',
    'yaml',
    'zod',
    'zod-openapi',
  ],
  // Packages in CommonJS require Node's own modules.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
  logLevel: 'warning',
});
