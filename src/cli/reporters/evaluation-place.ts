import { isAbsolute } from 'node:path';
import type { ResultEntry } from '../../model/result.js';
import { parseRecord } from '../../store/log/record-parsing.js';
import { eventKinds } from '../../store/log/row-event-index.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The line of an evaluation in its file, from 1; `undefined` if unknown. */
export function lineOf(run: StoredRun, index: number): number | undefined {
  const { file } = run.log;
  const events = file.events.toReplay(run.rows[index]?.events ?? 0);
  const planned = events.findLast(({ kind }) => kind === eventKinds.planned);
  if (planned === undefined || planned.length === 0) return undefined;
  const text = file.bytesAt(planned.offset, planned.length).toString('utf8');
  const record = parseRecord(text);
  return record?.type === 'planned' ? record.line : undefined;
}

/** The location of the first failed assertion of a result: its file, as in ids, and line. */
export function placeOfAssertion({
  result,
}: ResultEntry): { readonly file: string; readonly line: number } | undefined {
  const failed = result.scores.find(({ passed, location }) => passed === false && location);
  const [, file, line] = /^(.+):(\d+):\d+$/.exec(failed?.location ?? '') ?? [];
  return file === undefined || isAbsolute(file) ? undefined : { file, line: Number(line) };
}
