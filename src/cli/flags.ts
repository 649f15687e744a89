import { Flags } from '@oclif/core';
import { AssayError } from '../errors.js';
import { settingTable } from '../settings/setting-table.js';
import type { Settings } from '../settings/settings.js';
import { parseList } from '../text/list-text.js';

/** Rejects an empty path, which in scripts comes from an unset variable and would mean the working directory. */
function pathGiven(name: string): (text: string) => Promise<string> {
  return async (text) => {
    if (text.trim() !== '') return text;
    throw new AssayError('usage', `--${name} must not be empty.`);
  };
}

/** The settings file. Default: that of the working directory. */
export const settingsFlag = Flags.string({
  description: 'Settings file. Default: assay.yaml.',
  helpGroup: 'GLOBAL',
  helpValue: 'FILE',
  parse: pathGiven('settings'),
});

/** The results directory; takes precedence over the settings. */
export const resultsDirFlag = Flags.string({
  description: 'Results directory. Default: the setting results_dir.',
  helpGroup: 'GLOBAL',
  helpValue: 'DIR',
  parse: pathGiven('results-dir'),
});

/** A flag with names that commas separate; it can be repeated, and has one list for each time. */
export function listFlag(description: string, helpGroup: string) {
  return Flags.custom<readonly string[]>({
    description,
    multiple: true,
    multipleNonGreedy: true,
    helpGroup,
    helpValue: 'NAME',
    parse: async (text) => parseList(text),
  })();
}

/** Describes the accepted forms of RUN. */
export const runDescription =
  'Run id or its beginning, name, latest, previous, latest~N, folder or file.';

/** The session in which to look for a run name or `latest`. */
export const referenceSessionFlag = Flags.string({
  description: 'Session to search for a run name.',
  helpValue: 'NAME',
});

/** Skips the confirmation before a command deletes. */
export const yesFlag = Flags.boolean({ char: 'y', description: 'Do not ask.' });

/** A flag for the server whose workers run evaluations. */
export function redisFlag(helpGroup?: string) {
  return Flags.string({
    description: settingTable.redis.description,
    helpValue: 'URL',
    ...(helpGroup !== undefined && { helpGroup }),
  });
}

/** Parses the value of a whole-number flag; both limits are inclusive. Error: `usage`. */
export function parseWholeNumber(
  name: string,
  { min, max }: { readonly min: number; readonly max?: number | undefined },
): (text: string) => Promise<number> {
  const range = max === undefined ? `from ${min}` : `from ${min} to ${max}`;
  return async (text) => {
    const value = Number(text);
    const isInRange = value >= min && value <= (max ?? Number.MAX_SAFE_INTEGER);
    if (/^\d+$/.test(text) && isInRange) return value;
    throw new AssayError(
      'usage',
      `--${name} takes a whole number ${range}, not ${JSON.stringify(text)}.`,
    );
  };
}

/** The address of the server of workers. Error: `usage` when the settings have none. */
export function redisUrl(settings: Settings): string {
  const url = settings.effective('redis').value;
  if (url !== null) return url;
  throw new AssayError('usage', 'The address of a Redis server is missing.', {
    hints: ['Give it with --redis redis://127.0.0.1:6379, or as redis in assay.yaml.'],
  });
}
