#!/usr/bin/env node
import module from 'node:module';
import v8 from 'node:v8';

// From Node 22 on, compiled code is kept for the next time.
module.enableCompileCache?.();

// On Node 20 the compiler that makes hot code fast starts so early that it takes processor time from the host.
if (process.versions.v8.startsWith('11.')) v8.setFlagsFromString('--interrupt-budget=400000');

// A host takes as long to start as the command line itself: let both start at once.
if (process.argv[2] === 'run' && !process.argv.includes('--help')) {
  const { prestartHost } = await import('../dist/cli-bundle/runner/spawn-host.js');
  prestartHost();
}

const { execute } = await import('../dist/cli-bundle/cli/main.js');
await execute({ dir: import.meta.url });
