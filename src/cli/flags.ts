import { Flags } from '@oclif/core';
import { AssayError } from '../errors.js';

/** Refuses an empty path, which would mean the working directory: in scripts it is an unset variable. */
function pathGiven(name: string): (text: string) => Promise<string> {
  return async (text) => {
    if (text.trim() !== '') return text;
    throw new AssayError('usage', `--${name} must not be empty.`);
  };
}

/** The settings file; without it, that of the working directory. */
export const settingsFlag = Flags.string({
  description: 'Settings file to use instead of assay.yaml.',
  helpGroup: 'GLOBAL',
  helpValue: 'FILE',
  parse: pathGiven('settings'),
});

/** Where runs are kept; wins over the settings. */
export const resultsDirFlag = Flags.string({
  description: 'Results directory to use instead of that of the settings.',
  helpGroup: 'GLOBAL',
  helpValue: 'DIR',
  parse: pathGiven('results-dir'),
});

/** What may stand for RUN in arguments. */
export const runDescription =
  'Run id or its beginning, name, latest, previous, latest~N, folder or file.';

/** The session in which a run name and `latest` are looked for. */
export const referenceSessionFlag = Flags.string({
  description: 'Session in which to look for a run name.',
  helpValue: 'NAME',
});

/** Answers yes to the question a command asks before it deletes. */
export const yesFlag = Flags.boolean({ char: 'y', description: 'Do not ask.' });
