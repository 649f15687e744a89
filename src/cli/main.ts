import { ignoreClosedReaders } from './terminal/closed-readers.js';

// A run is not lost because nobody watches it any more.
ignoreClosedReaders(process.stderr);

// Nothing is left to do and everything is written: taking apart what is in memory would only take time.
process.once('beforeExit', (code) => process.exit(code));

/** Hands the command line over to oclif, which does the same for stdout. */
export { execute } from '@oclif/core';
