// Bundles what people wait for at every start: the command line with oclif into dist/cli-bundle, and what a host loads
// before the first eval file into dist/host-bundle. A few files are found, read and compiled in a fraction of the time
// that many small ones take. docs/decisions/0008-bundled-start.md
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files of the TypeScript loader that are found by their place: by its thread, by facades, by `require()`. */
const loader = ['hook-thread', 'hooks', 'require', 'resolve-request', 'compile'].map(
  (name) => `host/loader/${name}`,
);

/** What oclif requires at the start of every command, and uses in few. */
const seldomUsed = /^(tinyglobby|node:perf_hooks|node:readline)$/;

/** Makes `require()` of these load them when something of theirs is looked at. */
const requireLate = {
  name: 'require-late',
  setup(build) {
    build.onResolve({ filter: seldomUsed }, ({ path, kind, namespace }) => {
      const isLate = kind === 'require-call' && namespace !== 'late';
      return isLate ? { path, namespace: 'late' } : { path, external: true };
    });
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, name) => require(${JSON.stringify(path)})[name] });`,
    }));
  },
};

/** An import of `node:process` looks at all it has, and so opens stdin. */
const globalProcess = {
  name: 'global-process',
  setup(build) {
    build.onResolve({ filter: /^node:process$/ }, ({ path }) => ({ path, namespace: 'global' }));
    build.onLoad({ filter: /.*/, namespace: 'global' }, () => ({
      contents: 'export default process;',
    }));
  },
};

const common = {
  absWorkingDir: root,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  logLevel: 'warning',
};

await build({
  ...common,
  entryPoints: [
    ...globSync('dist/commands/**/*.js', { cwd: root }),
    'dist/cli/main.js',
    'dist/cli/help.js',
    'dist/cli/command-not-found.js',
    'dist/runner/spawn-host.js',
  ],
  outbase: 'dist',
  outdir: 'dist/cli-bundle',
  keepNames: true,
  plugins: [requireLate, globalProcess],
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
});

await build({
  ...common,
  // The entry of eval files too, so that they get what their host has loaded already.
  entryPoints: ['index', 'host/main', 'host/watchdog-thread', ...loader].map((file) => ({
    in: `dist/${file}.js`,
    out: basename(file),
  })),
  outdir: 'dist/host-bundle',
  // All in one folder: code of any entry finds these files beside itself, wherever it ends up.
  chunkNames: '[name]-[hash]',
  packages: 'external',
});
