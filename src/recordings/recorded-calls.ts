import { join } from 'node:path';
import { lookAt } from '../files/regular-file.js';
import type { Call } from '../model/calls/model-call.js';
import { fileOf, type RowFacts } from '../model/result.js';
import { hasHost } from '../text/host-matcher.js';
import { isLoopback } from '../text/loopback.js';
import { isIgnored } from './recorded-hosts.js';
import type { RecordingOptions, RecordingSource } from './recording.js';
import { folderOfAttempt, folderOfFile } from './recording-files.js';

/** Whose recordings those of a result are. */
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

/** True if calls of a result have recordings, as far as a run that records would make them. */
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
