/** Hands the command line over to oclif. */
export { execute } from '@oclif/core';
