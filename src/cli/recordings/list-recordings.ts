import { readRecordings } from '../../recordings/stored-recordings.js';
import type { Settings } from '../../settings/settings.js';
import type { Store } from '../../store/store.js';
import { readRecordingUse } from './recording-use.js';
import { byEvaluation } from './recordings-table.js';

/** The recorded calls of a project by evaluation, and whether the last run has used them. */
export async function listRecordings(store: Store, settings: Settings) {
  const folder = settings.effective('recordings_dir').value;
  const { recordings, damaged } = readRecordings(folder);
  const hasRuns = (await store.listSessions()).length > 0;
  const use = hasRuns ? await readRecordingUse(store, 'latest', recordings) : undefined;
  return { folder, damaged, evaluations: byEvaluation(recordings, use) };
}
