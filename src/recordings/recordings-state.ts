import { join } from 'node:path';
import { pathState } from '../files/path-state.js';
import { shortHash } from '../text/short-hash.js';
import type { CallSettings } from './call-settings.js';
import type { RecordingOptions } from './recording.js';
import { type DamagedRecording, filesIn, folderOfFile } from './recording-files.js';

/** True where calls are answered from recordings as far as there are some. */
export function answersFrom(
  recordings: RecordingOptions | undefined,
): recordings is RecordingOptions {
  return recordings !== undefined && recordings.mode !== 'record-all';
}

const offline = 'offline:';

/** True for the state of recordings of a run that makes no call, to a model or elsewhere. */
export function isOffline(state: string | null): boolean {
  return state?.startsWith(offline) === true;
}

/**
 * A short text that changes when the calls of an eval file could be answered otherwise: of its recordings, or of those of
 * all files for `''`, and of the settings that decide which recording answers. `null` where all calls are made.
 */
export function recordingsState(
  file: string,
  { recordings, notModels = [] }: CallSettings,
): string | null {
  if (recordings === undefined) return null;
  const { mode, normalize, ignore = [], hosts = [] } = recordings;
  const files = stateOfFiles(recordings.folder, file === '' ? '' : folderOfFile(file));
  if (mode !== 'offline' && files.length === 0) return null;
  const state = shortHash(JSON.stringify([normalize, ignore, hosts, notModels, files]));
  return mode === 'offline' ? `${offline}${state}` : state;
}

/** Paths and contents, and what cannot be used; both in order. */
function stateOfFiles(folder: string, path: string): string[] {
  const damaged: DamagedRecording[] = [];
  try {
    const paths = filesIn(folder, path, { isDeep: true, damaged });
    const files = paths.map((one) => `${one} ${pathState('file', join(folder, one))}`);
    return [...files, ...damaged.map(({ problem }) => problem)];
  } catch (error) {
    return [(error as Error).message];
  }
}
