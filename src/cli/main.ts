import { ignoreClosedReaders } from './closed-readers.js';

// A run is not lost because nobody watches it any more.
ignoreClosedReaders(process.stderr);

/** Hands the command line over to oclif, which does the same for stdout. */
export { execute } from '@oclif/core';
