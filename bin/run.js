#!/usr/bin/env node
import module from 'node:module';

// From Node 22 on, compiled code is kept for the next time.
module.enableCompileCache?.();

const [first, ...others] = process.argv.slice(2);

if (/^(--version|-v)$/.test(first) && others.length === 0) {
  // As oclif says it, which takes twice as long to load as Node itself.
  const { name, version } = module.createRequire(import.meta.url)('../package.json');
  console.log(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}`);
} else {
  // A host takes as long to start as the command line itself: let both start at once.
  if (first === 'run' && !others.includes('--help')) {
    const { prestartHost } = await import('../dist/cli-bundle/runner/local/spawn-host.js');
    prestartHost();
  }
  const { execute } = await import('../dist/cli-bundle/cli/main.js');
  await execute({ dir: import.meta.url });
}
