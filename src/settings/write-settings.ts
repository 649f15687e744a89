import { isAbsolute } from 'node:path';
import { AssayError } from '../errors.js';
import { checkSettings } from './check-settings.js';
import { editYaml, type SettingChange } from './edit-yaml.js';
import { parseKeyPath } from './key-path.js';
import { readTextFile } from './read-text-file.js';
import { readYaml, type Yaml } from './read-yaml.js';
import { SettingsError } from './settings-error.js';
import { writeFileAtomically } from './write-file.js';

/** What a write has done. */
export interface WrittenSettings {
  /** The keys that hold another value in the file now. */
  readonly changed: readonly string[];
}

/**
 * Writes values into a settings file, which is made when it does not exist. `undefined` removes a key; keys
 * below others are dotted (`configs.fast.params.model`). Comments, order and unknown keys stay.
 * Throws `bad-settings` when the present file is broken and `bad-request` when a new value is not allowed;
 * then the file is untouched. Either all changes are written or none. `file` is absolute.
 */
export async function writeSettings(
  file: string,
  changes: Readonly<Record<string, SettingChange>>,
): Promise<WrittenSettings> {
  if (!isAbsolute(file)) throw new TypeError(`The settings file needs an absolute path: ${file}`);
  const yaml = await import('yaml');
  // From here on nothing waits, so that two writes of one process cannot undo each other.
  const before = readTextFile(file, 'The settings file') ?? '';
  checkSettings(readYaml(yaml, before, file));
  const changed: string[] = [];
  let text = before;
  for (const [key, value] of Object.entries(changes)) {
    const edited = editYaml(yaml, text, parseKeyPath(key), value);
    if (edited !== text) changed.push(key);
    text = edited;
  }
  if (changed.length === 0) return { changed };
  checkNewText(yaml, text, file);
  writeFileAtomically(file, text);
  return { changed };
}

function checkNewText(yaml: Yaml, text: string, file: string): void {
  try {
    checkSettings(readYaml(yaml, text, file));
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    // Line and column would be those of a text that nobody will see.
    throw new AssayError('bad-request', error.detail, { cause: error });
  }
}
