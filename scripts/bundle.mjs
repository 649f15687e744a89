// Bundles what people wait for at every start: the command line with oclif into dist/cli-bundle, and what a host loads
// before the first eval file into dist/host-bundle. A few files are found, read and compiled in a fraction of the time
// that many small ones take. docs/decisions/0008-bundled-start.md
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { globSync } from 'tinyglobby';

const root = fileURLToPath(new URL('..', import.meta.url));

const requireOfOclif = createRequire(createRequire(import.meta.url).resolve('@oclif/core'));

/** What oclif requires at the start of every command, and uses in few. */
const seldomUsed = /^(cli-spinners|ejs|minimatch|semver|tinyglobby|node:perf_hooks|node:readline)$/;

/** Leaves these outside, and makes oclif's `require()` load them when something of theirs is looked at. */
const requireLate = {
  name: 'require-late',
  setup(build) {
    build.onResolve({ filter: seldomUsed }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'seldom' } : { path, external: true },
    );
    build.onLoad({ filter: /.*/, namespace: 'seldom' }, ({ path }) => ({
      // Whoever requires a module as an import asks at once whether it was one.
      contents: `
        const load = () => createRequireOfBundle(require.resolve('@oclif/core/package.json'))('${path}');
        const get = (_, name) => (name === '__esModule' ? ${requireOfOclif(path).__esModule} : load()[name]);
        module.exports = new Proxy({}, { get });`,
    }));
  },
};

/**
 * esbuild makes a chunk of the modules that the same entry points need. Here, the other commands and all that is imported
 * late need what `run` needs, at its start and after it: two chunks, which would be fifty otherwise.
 */
const fewChunks = {
  name: 'few-chunks',
  setup(build) {
    const run = join(root, 'dist/commands/run.js');
    const ofRun = [run, join(root, 'dist/cli/report/run-report.js')].map(importOf).join('');
    build.onLoad({ filter: /\/dist\/commands\/.*\.js$/ }, async ({ path }) =>
      path === run ? undefined : { contents: ofRun + (await readFile(path, 'utf8')) },
    );
    build.onResolve({ filter: /^\./, namespace: 'file' }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace: 'late' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'late' }, ({ path }) => ({
      contents: `${ofRun}export * from ${JSON.stringify(path)};`,
      resolveDir: root,
    }));
  },
};

function importOf(path) {
  return `import ${JSON.stringify(path)};\n`;
}

/** Takes a while to load, and is not needed before the first run is opened: what is used of it gets it when called. */
const lateCrypto = {
  name: 'late-crypto',
  setup(build) {
    build.onResolve({ filter: /^node:crypto$/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'late-crypto' } : undefined,
    );
    const used = ['createHash', 'hash', 'randomBytes', 'randomInt', 'timingSafeEqual'];
    build.onLoad({ filter: /.*/, namespace: 'late-crypto' }, () => ({
      contents: [
        "let crypto; const load = () => (crypto ??= process.getBuiltinModule('node:crypto'));",
        ...used.map((name) => `export const ${name} = (...given) => load().${name}(...given);`),
      ].join('\n'),
    }));
  },
};

/** oclif sorts the ids of commands as a dictionary would, for which Node loads its dictionary first. */
const plainOrder = {
  name: 'plain-order',
  setup(build) {
    build.onLoad({ filter: /@oclif\/core\/lib\/config\/plugin\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = source.replace('a.id.localeCompare(b.id)', 'a.id < b.id ? -1 : 1');
      if (contents === source) throw new Error(`${path} does not sort commands as it did`);
      return { contents };
    });
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
  // Node scans all of a file at its start. Names stay, so that stack traces can be read.
  minifyWhitespace: true,
  lineLimit: 200,
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
    'dist/runner/local/spawn-host.js',
  ],
  outbase: 'dist',
  outdir: 'dist/cli-bundle',
  // oclif would look whether this Node is new enough for itself; it is, where it is new enough for assay.
  define: { 'process.env.OCLIF_DISABLE_ENGINE_WARNING': '"true"' },
  plugins: [fewChunks, requireLate, lateCrypto, plainOrder, globalProcess],
  // Loaded only when they are needed, or, like typescript, only by developers of oclif itself.
  external: [
    '@oclif/core/package.json',
    '@pydantic/genai-prices',
    'bullmq',
    'chokidar',
    'ioredis',
    'limiter',
    'p-queue',
    'compression',
    'csv-parse',
    'csv-stringify',
    'js-yaml',
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

/** CommonJS, which is found and read faster, and which imports that wait for hooks do not hold up. */
const hostEntries = [
  ...[
    'main',
    'host',
    'watchdog/watchdog-thread',
    'calls/observer',
    'calls/watch-thread',
    'refuse-network',
    'fingerprints/code-thread',
  ],
  ...[
    'register',
    'register-here',
    'hooks',
    'require',
    'module-graph',
    'resolve-request',
    'compile',
  ].map((name) => `loader/${name}`),
  '../model-calls/prices',
];

/**
 * Files of their own: two keep what one hook hands over to another, or has seen; the third has the list of prices, a
 * megabyte that few hosts need.
 */
const ownFiles = {
  name: 'own-files',
  setup(build) {
    build.onResolve({ filter: /\/(require|module-graph|prices)\.js$/ }, ({ kind, path }) =>
      kind === 'entry-point'
        ? undefined
        : { path: `./${basename(path, '.js')}.cjs`, external: true },
    );
  },
};

const host = {
  ...common,
  // All in one folder: code of any entry finds these files beside itself, wherever it ends up.
  outdir: 'dist/host-bundle',
  chunkNames: '[name]-[hash]',
  // Loaded only when they are needed.
  external: ['@swc/core', 'cjs-module-lexer', 'csv-parse', 'js-yaml', 'oxc-transform', 'yaml'],
};

await build({
  ...host,
  entryPoints: hostEntries.map((name) => ({ in: `dist/host/${name}.js`, out: basename(name) })),
  format: 'cjs',
  splitting: false,
  outExtension: { '.js': '.cjs' },
  define: { 'import.meta.url': 'urlOfBundle' },
  // Globals as they were before any code of the user's.
  inject: ['dist/host/primitives.js'],
  banner: { js: "const urlOfBundle = require('node:url').pathToFileURL(__filename).href;" },
  plugins: [ownFiles],
});

// What is imported: by eval files, and by Node for its thread.
await build({
  ...host,
  entryPoints: [
    { in: 'dist/index.js', out: 'index' },
    { in: 'dist/host/loader/hook-thread.js', out: 'hook-thread' },
  ],
});

/** What is not part of an import of the graders: all of them need the first file as soon as one is made, few the second. */
const lateFiles = {
  'shown-values': { 'values/convert': ['convert'], 'values/inspect-value': ['inheritedNames'] },
  'seldom-graders': {
    'graders/judge': ['pairwise', 'rubric'],
    'graders/language': ['language', 'refuses'],
    'graders/schema': ['isJson', 'schema'],
  },
};

const lateGraders = {
  name: 'late-graders',
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const name = relative(join(root, 'dist'), join(resolveDir, path)).replace(/\.js$/, '');
      const found = Object.entries(lateFiles).find(([, modules]) => name in modules);
      return found && { path: name, namespace: 'late-graders', pluginData: found };
    });
    build.onLoad({ filter: /.*/, namespace: 'late-graders' }, ({ path, pluginData }) => {
      const [file, modules] = pluginData;
      const exported = modules[path].map(
        (name) => `export const ${name} = (...given) => load().${name}(...given);`,
      );
      const load = `const load = () => createRequire(import.meta.url)('./${file}.cjs');`;
      const contents = ["import { createRequire } from 'node:module';", load, ...exported];
      return { contents: contents.join('\n') };
    });
  },
};

// By themselves, so that no eval file without them reads more.
await build({
  ...host,
  entryPoints: [{ in: 'dist/graders/index.js', out: 'graders' }],
  splitting: false,
  plugins: [lateGraders],
});
for (const [file, modules] of Object.entries(lateFiles)) {
  const outfile = join(root, `dist/host-bundle/${file}.cjs`);
  const contents = Object.entries(modules)
    .map(([path, names]) => `export { ${names.join(', ')} } from './${path}.js';`)
    .join('\n');
  await build({
    ...host,
    stdin: { contents, resolveDir: join(root, 'dist') },
    outdir: undefined,
    outfile,
    format: 'cjs',
    splitting: false,
  });
  // It may be loaded after code that has given all objects a property: no loop may meet that.
  const text = await readFile(outfile, 'utf8');
  const ownKeys = text.replace(/for ?\((var|let) (\w+) in all\)/, 'for($1 $2 of Object.keys(all))');
  if (ownKeys === text) throw new Error('esbuild does not export names as it did');
  await writeFile(outfile, ownKeys);
}
