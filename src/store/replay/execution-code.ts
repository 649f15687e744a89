import { filesOf } from '../../model/code/file-code.js';
import type { CodeRecord, ReadsRecord, ScheduledRecord } from '../log/records.js';
import { selectedRows } from '../log/row-ranges.js';

/** Where a line about an eval file is in the log. */
export interface FilePlace {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** An execution, as far as later ones need it to tell what has changed. The long lines stay in the log. */
export interface ExecutionCode {
  /** Of its `scheduled` line in the log. */
  readonly offset: number;
  /** Hash of the params of its run config; absent in old logs. */
  readonly params: string | undefined;
  readonly code: (FilePlace & { readonly code: string })[];
  readonly reads: FilePlace[];
}

const unknown = '';

/** An output keeps the params that it was made with; its grade may depend on others. */
function gradedWith(made: string | undefined, params: string | undefined): string | undefined {
  if (made === undefined || made === unknown || params === undefined) return made;
  return made.split('+').includes(params) ? made : `${made}+${params}`;
}

/** The executions of a run, in order. */
export class ExecutionCodes {
  readonly list: ExecutionCode[] = [];
  /** The params of the attempt of each row that counts, by index; `unknown` in old logs. */
  readonly #params: (string | undefined)[] = [];

  /** `total` is the number of rows that are planned. */
  schedule(record: ScheduledRecord, offset: number, total: number): void {
    const { params } = record;
    this.list.push({ offset, params, code: [], reads: [] });
    const counted =
      record.kind === 'run' || record.kind === 'resume' ? record.rows : record.new_pass;
    for (const index of counted === undefined ? [] : selectedRows(counted, total)) {
      this.#params[index] =
        record.kind === 'regrade' ? gradedWith(this.#params[index], params) : (params ?? unknown);
    }
  }

  /** A result that is taken over was made with the params of the execution that takes it. */
  take(index: number): void {
    this.#params[index] ??= this.list.at(-1)?.params ?? unknown;
  }

  /**
   * Hash of the params that the attempts that count ran with; several, joined, if these differ; absent if unknown.
   */
  get params(): string | undefined {
    const all = new Set(this.#params);
    all.delete(undefined);
    return all.size === 0 || all.has(unknown) ? undefined : [...all].sort().join('+');
  }

  /** False before the first execution. */
  add(record: CodeRecord | ReadsRecord, offset: number, length: number): boolean {
    const execution = this.list.at(-1);
    if (execution === undefined) return false;
    if (record.type === 'code') {
      for (const { file, code } of filesOf(record)) {
        execution.code.push({ file, offset, length, code });
      }
    } else execution.reads.push({ file: record.file, offset, length });
    return true;
  }

  /** The execution that wrote the line at an offset. */
  at(offset: number): ExecutionCode | undefined {
    return this.list.findLast((one) => one.offset <= offset);
  }
}
