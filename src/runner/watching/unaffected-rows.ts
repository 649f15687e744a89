import { codesOf } from '../../model/code/pack-code.js';
import type { StoredRun } from '../../store/stored-run.js';

/**
 * Tells for rows of a run in progress whether saved files certainly do not affect them, as far as their evaluations have
 * looked at anything so far. Whether a result is out of date is decided when it is there.
 */
export function unaffectedBy(names: readonly string[], run: StoredRun): (index: number) => boolean {
  const dependencies = dependenciesOf(run);
  const isKnown = (name: string) => [...dependencies.values()].some((known) => known.has(name));
  // Nobody knows what the others are for.
  if (!names.every(isKnown)) return () => false;
  return (index) => {
    const known = dependencies.get(run.rows[index]?.evaluation ?? '');
    return known !== undefined && !names.some((name) => known.has(name));
  };
}

/** What evaluations depend on, in the code of the last execution: names of modules, and of what any execution has read. */
function dependenciesOf(run: StoredRun): ReadonlyMap<string, ReadonlySet<string>> {
  const reads = new Map<string, string[]>();
  for (const place of run.executions.flatMap((execution) => execution.reads)) {
    const record = run.fileRecord(place);
    if (record?.type !== 'reads') continue;
    const names = record.reads.map(({ name }) => name);
    reads.set(place.file, [...(reads.get(place.file) ?? []), ...names]);
  }
  const found = new Map<string, ReadonlySet<string>>();
  const places = run.executions.at(-1)?.code ?? [];
  for (const place of new Map(places.map((one) => [one.offset, one])).values()) {
    const record = run.fileRecord(place);
    if (record?.type !== 'code' || !('files' in record)) continue;
    const codes = codesOf(record);
    for (const { file, evaluations } of record.files) {
      for (const evaluation of Object.keys(evaluations)) {
        const { target = [], grading = [] } = codes.get(evaluation) ?? {};
        const modules = [...target, ...grading].map(([name]) => name.replace(/ \(.*\)$/, ''));
        found.set(evaluation, new Set([file, ...modules, ...(reads.get(file) ?? [])]));
      }
    }
  }
  return found;
}
