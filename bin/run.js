#!/usr/bin/env node
import module from 'node:module';

// From Node 22 on, compiled code is kept for the next time.
module.enableCompileCache?.();

// A host takes as long to start as the command line itself: let both start at once.
if (process.argv[2] === 'run' && !process.argv.includes('--help')) {
  const { prestartHost } = await import('../dist/cli-bundle/runner/local/spawn-host.js');
  prestartHost();
}

const { execute } = await import('../dist/cli-bundle/cli/main.js');
await execute({ dir: import.meta.url });
