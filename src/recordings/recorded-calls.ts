import { join } from 'node:path';
import { pathState } from '../files/path-state.js';
import { lookAt } from '../files/regular-file.js';
import type { Call } from '../model/calls/model-call.js';
import { fileOf, type RowFacts } from '../model/result.js';
import { hasHost } from '../text/host-matcher.js';
import { isLoopback } from '../text/loopback.js';
import { shortHash } from '../text/short-hash.js';
import {
  type CallSettings,
  isIgnored,
  type RecordingOptions,
  type RecordingSource,
} from './recording.js';
import {
  type DamagedRecording,
  filesIn,
  folderOfAttempt,
  folderOfFile,
} from './recording-files.js';

/** The source of the recordings of a result. */
export function sourceOf(
  row: Pick<RowFacts, 'id' | 'trial_of' | 'function' | 'evaluation' | 'trial'>,
): RecordingSource {
  const file = fileOf(row);
  const evaluation = row.evaluation.slice(file.length + 2);
  const hasCase = row.function !== evaluation;
  return {
    file,
    evaluation,
    ...(hasCase && { case: row.function.slice(evaluation.length + 1, -1) }),
    ...(row.trial !== undefined && { trial: row.trial }),
  };
}

/** Id of the exchange that a call of a result has recorded, or was answered from; `undefined` if there is none. */
export function recordedId(
  { role, recording, shared }: Call,
  source: RecordingSource,
): string | undefined {
  if (recording === undefined || recording.startsWith('/')) return recording?.slice(1);
  const { file } = source;
  const own = folderOfAttempt(role === 'file' ? { file } : source);
  return `${shared === true ? folderOfFile(file) : own}/${recording}`;
}

/** True if all calls of a result have recordings that a run would record. */
export function areRecorded(
  calls: readonly Call[],
  source: RecordingSource,
  { folder, ignore, hosts = [] }: RecordingOptions,
): boolean {
  return calls.every((call) => {
    const { url, status = 500, error, program, model_call, unknown_model_call } = call;
    const id = recordedId(call, source);
    if (id !== undefined) return lookAt(join(folder, `${id}.json`)) !== undefined;
    const isOfModel = (model_call ?? unknown_model_call) !== undefined;
    const isLocal = isLoopback(url) && !isOfModel && !hasHost(url, hosts);
    const hasFailed = status >= 400 || error !== undefined;
    return program !== undefined || hasFailed || isLocal || isIgnored(call, ignore);
  });
}

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

/** Paths and contents of files, then what cannot be used. */
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
