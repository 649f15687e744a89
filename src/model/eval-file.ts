import type { RowFacts } from './result.js';

/** The eval file of a row, relative to the folder of its run; what stands before the name in its id. */
export function fileOf(row: Pick<RowFacts, 'id' | 'trial_of' | 'function'>): string {
  const id = row.trial_of ?? row.id;
  const end = `::${row.function}`;
  return id.endsWith(end) ? id.slice(0, -end.length) : (id.split('::', 1)[0] ?? id);
}
