import { ignoreClosedReaders } from './terminal/closed-readers.js';

// A run continues even if nobody reads stderr any more.
ignoreClosedReaders(process.stderr);

// Everything is written, so skip the teardown of the heap.
process.once('beforeExit', (code) => process.exit(code));

/** Passes the command line to oclif, which handles stdout in the same way. */
export { execute } from '@oclif/core';
