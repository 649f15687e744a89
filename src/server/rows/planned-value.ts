import { setImmediate } from 'node:timers/promises';
import type { JsonObject } from '../../model/json.js';
import { fieldText } from '../../model/result-field.js';
import { type GroupBy, isPlannedValue } from '../../model/summary/row-groups.js';
import { readEvents } from '../../store/log/entry-reading.js';
import type { RowSource } from './light-row.js';

/** True when the value that results are chosen or grouped by is authored, so that no outcome decides it. */
export async function isPlanned({ rows, file }: RowSource, by: GroupBy): Promise<boolean> {
  if (typeof by === 'string' || by.of !== 'metadata') return isPlannedValue(by);
  const textOf = (metadata: JsonObject) =>
    fieldText({ metadata, input: null, output: null, reference: null }, by);
  file.retain();
  try {
    const all = rows.map((row, index) => ({ index, row }));
    let read = 0;
    for await (const { events } of readEvents(file, all)) {
      let authored: string | null = null;
      for (const { event } of events) {
        if (event.type === 'planned') authored = textOf(event.metadata);
        else if ('metadata' in event && event.metadata !== undefined) {
          if (textOf(event.metadata) !== authored) return false;
        }
      }
      read += 1;
      if (read % 256 === 0) await setImmediate();
    }
    return true;
  } finally {
    file.release();
  }
}
