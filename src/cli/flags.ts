import { Flags } from '@oclif/core';

/** Where runs are kept; wins over the settings. */
export const resultsDirFlag = Flags.string({
  description: 'Results directory to use instead of that of the settings.',
  helpGroup: 'GLOBAL',
  helpValue: 'DIR',
});

/** The session in which a run name and `latest` are looked for. */
export const referenceSessionFlag = Flags.string({
  description: 'Session in which to look for a run name.',
  helpValue: 'NAME',
});

/** Answers yes to the question a command asks before it deletes. */
export const yesFlag = Flags.boolean({ char: 'y', description: 'Do not ask.' });
