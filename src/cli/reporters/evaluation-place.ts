import type { RowFacts } from '../../model/result.js';
import { parseRecord } from '../../store/record-parsing.js';
import { eventKinds, eventsToReplay } from '../../store/row-events.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The eval file of a row, relative to the folder of its run; what stands before the name in its id. */
export function fileOf(row: Pick<RowFacts, 'id' | 'trial_of' | 'function'>): string {
  const id = row.trial_of ?? row.id;
  const end = `::${row.function}`;
  return id.endsWith(end) ? id.slice(0, -end.length) : (id.split('::', 1)[0] ?? id);
}

/** The line of its evaluation in that file, from 1; `undefined` when the log does not say. */
export function lineOf(run: StoredRun, index: number): number | undefined {
  const events = eventsToReplay(run.rows[index]?.events ?? [], false);
  const planned = events.findLast(({ kind }) => kind === eventKinds.planned);
  if (planned === undefined || planned.length === 0) return undefined;
  const text = run.log.file.bytesAt(planned.offset, planned.length).toString('utf8');
  const record = parseRecord(text);
  return record?.type === 'planned' ? record.line : undefined;
}
