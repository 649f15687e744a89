import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { AssayError, hasSystemCode } from '../errors.js';
import { replaceFile } from '../files/replace-file.js';
import { checkSettings, type SettingsDocument } from './check-settings.js';
import { editYaml, type SettingChange } from './edit-yaml.js';
import { parseKeyPath } from './key-path.js';
import { readYaml, type Yaml } from './read-yaml.js';
import { SettingsError } from './settings-error.js';
import { noteWritten, readSettled } from './settled-text.js';

/** The result of a write. */
export interface WrittenSettings {
  /** The keys whose value in the file has changed. */
  readonly changed: readonly string[];
}

/** Values by dotted key (`configs.fast.params.model`). */
export type SettingChanges = Readonly<Record<string, SettingChange>>;

let lastWrite: Promise<unknown> = Promise.resolve();

/**
 * Writes values into a settings file, and creates it if it does not exist. `undefined` removes a key; nested keys
 * are dotted (`configs.fast.params.model`). Keeps comments, order and unknown keys. Throws `bad-settings` when the
 * current file is broken, `busy` when somebody else is writing it or has just written it, `bad-request` when a new value is not allowed, and `storage-full` or `storage-unusable`; then
 * the file is unchanged. Writes either all changes or none. `file` is absolute. A function decides on the file as it is
 * after all earlier writes; what it throws ends the write.
 */
export function writeSettings(
  file: string,
  changes: SettingChanges | ((current: SettingsDocument) => SettingChanges),
): Promise<WrittenSettings> {
  // One after the other, so that two writes of one process cannot undo each other.
  const written = lastWrite.then(() => write(file, changes));
  lastWrite = written.catch(() => undefined);
  return written;
}

async function write(
  file: string,
  given: SettingChanges | ((current: SettingsDocument) => SettingChanges),
): Promise<WrittenSettings> {
  if (!isAbsolute(file)) throw new TypeError(`The settings file needs an absolute path: ${file}`);
  const yaml = await import('yaml');
  const settled = await readSettled(file);
  const before = settled.text ?? '';
  const current = checkSettings(readYaml(yaml, before, file));
  const changes = typeof given === 'function' ? given(current) : given;
  const changed: string[] = [];
  let text = before;
  for (const [key, value] of Object.entries(changes)) {
    const edited = editYaml(yaml, text, parseKeyPath(key), value);
    if (edited !== text) changed.push(key);
    text = edited;
  }
  if (changed.length === 0) return { changed };
  checkNewText(yaml, text, file);
  await save(file, text, () => {
    if (settled.isSame()) return;
    throw new AssayError('busy', `${file} has changed meanwhile, so nothing was saved.`, {
      hints: ['Look at it and try again.'],
    });
  });
  noteWritten(file);
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

/** A link keeps its target, a file its mode, and a read-only file is not changed. */
async function save(file: string, text: string, check: () => void): Promise<void> {
  try {
    const old = existingFile(file);
    await replaceFile(old?.path ?? file, text, { mode: old?.mode, check });
  } catch (cause) {
    if (cause instanceof AssayError) throw cause;
    throw writeError(file, cause);
  }
}

function existingFile(path: string): { path: string; mode: number } | undefined {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.W_OK);
    return { path: real, mode: statSync(real).mode & 0o777 };
  } catch (error) {
    if (hasSystemCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function writeError(path: string, cause: unknown): AssayError {
  if (hasSystemCode(cause, 'ENOSPC', 'EDQUOT')) {
    return new AssayError('storage-full', `The disk is full: ${path} was left as it was.`, {
      cause,
      hints: ['Make room and try again.'],
    });
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new AssayError('storage-unusable', `${path} cannot be written: ${reason}.`, {
    cause,
    hints: ['Check that its folder exists and that you may write there.'],
  });
}
