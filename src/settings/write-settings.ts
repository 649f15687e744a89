import { isAbsolute } from 'node:path';
import { AssayError } from '../errors.js';
import { checkSettings } from './check-settings.js';
import { editYaml, type SettingChange } from './edit-yaml.js';
import { parseKeyPath } from './key-path.js';
import { readTextFile } from './read-text-file.js';
import { readYaml, type Yaml } from './read-yaml.js';
import { SettingsError } from './settings-error.js';
import { writeFileAtomically } from './write-file.js';

/** The result of a write. */
export interface WrittenSettings {
  /** The keys whose value in the file has changed. */
  readonly changed: readonly string[];
}

/**
 * Writes values into a settings file, and creates it if it does not exist. `undefined` removes a key; nested keys
 * are dotted (`configs.fast.params.model`). Keeps comments, order and unknown keys. Throws `bad-settings` when the
 * current file is broken and `bad-request` when a new value is not allowed; then the file is unchanged. Writes
 * either all changes or none. `file` is absolute.
 */
export async function writeSettings(
  file: string,
  changes: Readonly<Record<string, SettingChange>>,
): Promise<WrittenSettings> {
  if (!isAbsolute(file)) throw new TypeError(`The settings file needs an absolute path: ${file}`);
  const yaml = await import('yaml');
  // Synchronous from here on, so that two writes of one process cannot undo each other.
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
    // Without line and column, which refer to a text that is not saved.
    throw new AssayError('bad-request', error.detail, { cause: error });
  }
}
