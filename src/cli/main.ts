import { ignoreClosedReaders } from './terminal/closed-readers.js';

// A run continues when the reader of stderr is gone.
ignoreClosedReaders(process.stderr);

// Everything is written, so skip the teardown of the heap.
process.once('beforeExit', (code) => process.exit(code));

/** Passes the command line to oclif, which handles stdout in the same way. */
export { execute } from '@oclif/core';
