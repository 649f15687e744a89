import { caseIdOf } from '../../model/result.js';
import type { Shard } from '../../model/shard.js';
import { nameText } from '../../text/name-text.js';
import { liveHolder } from '../lock/lock.js';
import { LineScan } from '../log/line-scan.js';
import type { LogRecord, PlannedRecord, ScheduledRecord } from '../log/records.js';
import { parseRecord } from '../log/records.js';
import { type RowSelection, selectedRows, toRanges } from '../log/row-ranges.js';
import { indexOfCalls, type RunLog } from '../log/run-log.js';
import { openLog } from '../open-run.js';
import { RunOutline } from '../replay/run-outline.js';
import type { RunHeader } from '../replay/run-replay.js';
import { unreadable } from '../stored-run.js';

/** A folder of a run that is to be merged. */
export interface NamedFolder {
  readonly folder: string;
  /** As the user named it. */
  readonly name: string;
  /** What the user should know about it, as a sentence. */
  readonly note?: string;
}

/** A record, and the bytes of its line. */
export interface SizedRecord<R extends LogRecord = LogRecord> {
  readonly record: R;
  readonly size: number;
}

/** A record with the ones that belong to it: the calls of a result, the new plans of a rerun. */
export interface Step {
  /** RFC 3339. */
  readonly at: string;
  readonly records: readonly SizedRecord[];
}

/** The log of a part, read from its beginning as often as needed, a slice at a time. */
export class PartLog {
  readonly name: string;
  readonly header: RunHeader;
  /** Another process executes the part. */
  readonly isRunning: boolean;
  readonly #log: RunLog<RunOutline>;
  /** The index of each row in the whole. */
  readonly #places: Uint32Array;

  private constructor(log: RunLog<RunOutline>, header: RunHeader, name: string) {
    this.#log = log;
    this.#places = new Uint32Array(log.index.total);
    this.header = header;
    this.isRunning = liveHolder(log.folder) !== undefined;
    this.name = name;
  }

  /** Error: `unreadable-run`. */
  static async open({ folder, name }: NamedFolder): Promise<PartLog> {
    const { log } = await openLog(folder, (events) => new RunOutline(events));
    const { header } = log.index;
    if (header === undefined) throw unreadable(folder);
    return new PartLog(log, header, nameText(name));
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  get shard(): Shard | undefined {
    return this.header.shard;
  }

  get index(): RunOutline {
    return this.#log.index;
  }

  get problems(): readonly string[] {
    return this.#log.problems(this.isRunning);
  }

  /** Its rows as they were first planned, the trials of a case together. */
  *cases(): Generator<readonly SizedRecord<PlannedRecord>[]> {
    let rows: SizedRecord<PlannedRecord>[] = [];
    let next = 0;
    for (const { record, size } of this.#records()) {
      if (record.type === 'scheduled') break;
      if (record.type !== 'planned' || record.index !== next) continue;
      next += 1;
      const [first] = rows;
      if (first !== undefined && caseIdOf(first.record) !== caseIdOf(record)) {
        yield rows;
        rows = [];
      }
      rows.push({ record, size });
    }
    if (rows.length > 0) yield rows;
  }

  /** Sets the index of a row in the whole. */
  place(index: number, inWhole: number): void {
    this.#places[index] = inWhole;
  }

  /** The indices in the whole of rows of the part. */
  placesOf(rows: ScheduledRecord['rows']): number[] {
    return [...selectedRows(rows, this.#places.length)].map((index) => this.#places[index] ?? 0);
  }

  /** The rows of its first execution, as indices in the whole; `undefined` if it never started. */
  firstScheduled(): (Pick<ScheduledRecord, 'at' | 'params'> & { rows: number[] }) | undefined {
    for (const { record } of this.#records()) {
      if (record.type !== 'scheduled') continue;
      const { at, params } = record;
      return { at, ...(params !== undefined && { params }), rows: this.placesOf(record.rows) };
    }
    return undefined;
  }

  /** What happened to its rows since the first execution started, in order, with indices of the whole. */
  *steps(maxCost: number | undefined): Generator<Step> {
    let hasStarted = false;
    let pending: SizedRecord[] = [];
    for (const { record, size } of this.#records()) {
      if (!hasStarted) {
        hasStarted = record.type === 'scheduled';
        continue;
      }
      const moved = this.#move(record, maxCost);
      if (moved === undefined) continue;
      pending.push({ record: moved, size });
      if (!('at' in moved)) continue;
      yield { at: moved.at, records: pending };
      pending = [];
    }
  }

  /** The record in the whole; `undefined` for one that is about the part alone. */
  #move(record: LogRecord, maxCost: number | undefined): LogRecord | undefined {
    switch (record.type) {
      case 'run':
      case 'renamed':
      // A random part of the part is none of the whole.
      case 'sample':
      case 'closed':
      case 'unlisted':
      // These are of the executions of the part, which the whole does not tell apart: its rows always count as changed.
      case 'code':
      case 'reads':
        return undefined;
      case 'scheduled': {
        // The passes of a part, and their rates, say nothing of the whole.
        const { max_cost: _, rate_before: __, passes: ___, ...scheduled } = record;
        const moved = (of: RowSelection) => toRanges(this.placesOf(of));
        return {
          ...scheduled,
          rows: moved(record.rows),
          ...(record.regraded && { regraded: moved(record.regraded) }),
          ...(record.new_pass && { new_pass: moved(record.new_pass) }),
          ...(maxCost !== undefined && { max_cost: maxCost }),
        };
      }
      case 'cancelled':
      case 'pruned':
      case 'left':
      case 'same_code':
        return { ...record, rows: toRanges(this.placesOf(record.rows)) };
      case 'gone': {
        const [rows, back] = [record.rows, record.back].map((of) => toRanges(this.placesOf(of)));
        return { ...record, rows: rows ?? [], back: back ?? [] };
      }
      case 'rubrics':
        return record;
      case 'label': {
        const { sample: _, ...label } = record;
        const index = this.#places[label.index];
        return index === undefined ? undefined : { ...label, index };
      }
      case 'labels': {
        const labels = record.labels.flatMap(({ sample: _, ...label }) => {
          const index = this.#places[label.index];
          return index === undefined ? [] : [{ ...label, index }];
        });
        return labels.length === 0 ? undefined : { ...record, labels };
      }
      default: {
        const index = this.#places[record.index];
        return index === undefined ? undefined : { ...record, index };
      }
    }
  }

  /** All records that can be read. */
  *#records(): Generator<SizedRecord> {
    const scan = new LineScan();
    const { file, position: end } = this.#log;
    let found: SizedRecord[] = [];
    const take = (line: string, size: number) => {
      const record = parseRecord(line);
      if (record !== undefined) found.push({ record, size });
    };
    const takeBytes = (bytes: Buffer, start: number, stop: number, offset: number) => {
      const size = stop - start;
      const before = found.length;
      take(bytes.toString('utf8', start, stop), size);
      const index = found.length > before ? undefined : indexOfCalls(bytes, start, stop);
      if (index === undefined || index >= this.#places.length) return;
      // The index of the log has taken this line on trust.
      file.unreadable.add(offset);
      const record = { type: 'calls', index, calls: [], texts: [], unreadable: true } as const;
      found.push({ record, size });
    };
    for (let isMore = true; isMore; ) {
      isMore = scan.step(file.fd, end, takeBytes);
      yield* found;
      found = [];
    }
    // A last line without a line end.
    const rest = end - scan.position;
    take(file.bytesAt(scan.position, rest).toString('utf8'), rest);
    yield* found;
  }
}
