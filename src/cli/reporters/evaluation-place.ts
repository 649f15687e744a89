import { parseRecord } from '../../store/record-parsing.js';
import { eventKinds, eventsToReplay } from '../../store/row-events.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The line of its evaluation in that file, from 1; `undefined` when the log does not say. */
export function lineOf(run: StoredRun, index: number): number | undefined {
  const events = eventsToReplay(run.rows[index]?.events ?? [], false);
  const planned = events.findLast(({ kind }) => kind === eventKinds.planned);
  if (planned === undefined || planned.length === 0) return undefined;
  const text = run.log.file.bytesAt(planned.offset, planned.length).toString('utf8');
  const record = parseRecord(text);
  return record?.type === 'planned' ? record.line : undefined;
}
