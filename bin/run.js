#!/usr/bin/env node
// A host takes as long to start as the command line itself: let both start at once.
if (process.argv[2] === 'run' && !process.argv.includes('--help')) {
  const { prestartHost } = await import('../dist/runner/spawn-host.js');
  prestartHost();
}

const { execute } = await import('@oclif/core');
await execute({ dir: import.meta.url });
