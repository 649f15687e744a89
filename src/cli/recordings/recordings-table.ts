import type { StoredRecording } from '../../recordings/stored-recordings.js';
import { renderCount } from '../../text/count-text.js';
import { type FittedColumn, renderFittedColumns } from '../terminal/fitted-columns.js';
import { relativeTime } from '../terminal/relative-time.js';
import { escapeTerminal } from '../terminal/terminal-text.js';
import type { RecordingUse } from './recording-use.js';

export interface RecordedEvaluation {
  /** `<file>::<name>`; the name of the file for calls of its import, and for those of several cases. */
  readonly evaluation: string;
  readonly exchanges: number;
  /** Bytes. */
  readonly size: number;
  /** Time at which the newest file was written here: RFC 3339, UTC. */
  readonly newest: string;
  /** Exchanges that the last run has used; `null` without a run. */
  readonly used: number | null;
  /** Exchanges that it planned, and completed without. */
  readonly unused: number;
}

/** Sums recordings up by evaluation, in order of their files. */
export function byEvaluation(
  recordings: readonly StoredRecording[],
  use: RecordingUse | undefined,
): RecordedEvaluation[] {
  const sums = new Map<string, RecordedEvaluation>();
  for (const { size, writtenAt, exchanges } of recordings) {
    const [first] = exchanges;
    if (first === undefined) continue;
    const { file, evaluation: name } = first.source;
    const evaluation = name === undefined ? file : `${file}::${name}`;
    const before = sums.get(evaluation);
    const date = new Date(writtenAt).toISOString();
    const newest = before !== undefined && before.newest > date ? before.newest : date;
    const uses = exchanges.map((exchange) => use?.of(exchange));
    const used = uses.filter((one) => one === 'used').length;
    const unused = uses.filter((one) => one === 'unused').length;
    sums.set(evaluation, {
      evaluation,
      exchanges: (before?.exchanges ?? 0) + exchanges.length,
      size: (before?.size ?? 0) + size,
      newest,
      used: use === undefined ? null : (before?.used ?? 0) + used,
      unused: (before?.unused ?? 0) + unused,
    });
  }
  return [...sums.values()];
}

export function renderRecordings(
  evaluations: readonly RecordedEvaluation[],
  page: { readonly width: number | undefined; readonly now: number },
): string {
  const count = (read: (one: RecordedEvaluation) => number | null) =>
    evaluations.map((one) => {
      const value = read(one);
      return value === null ? '' : renderCount(value);
    });
  const columns: FittedColumn[] = [
    {
      title: 'evaluation',
      cells: evaluations.map(({ evaluation }) => escapeTerminal(evaluation)),
      shrinkTo: 20,
    },
    { title: 'exchanges', cells: count(({ exchanges }) => exchanges), align: 'right' },
    { title: 'size', cells: evaluations.map(({ size }) => renderBytes(size)), align: 'right' },
    {
      title: 'newest',
      cells: evaluations.map(({ newest }) => relativeTime(Date.parse(newest), page.now)),
      rank: 2,
    },
    {
      title: 'used by the last run',
      cells: count(({ used }) => used),
      align: 'right',
      rank: 1,
    },
  ];
  return renderFittedColumns(columns, page.width);
}

/** A size: `812 B`, `412 kB`, `1.1 MB`. */
export function renderBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
