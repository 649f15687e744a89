import type { CodeRecord, ReadsRecord, ScheduledRecord } from '../log/records.js';

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

/** The executions of a run, in order. */
export class ExecutionCodes {
  readonly list: ExecutionCode[] = [];

  schedule({ params }: ScheduledRecord, offset: number): void {
    this.list.push({ offset, params, code: [], reads: [] });
  }

  /** False before the first execution. */
  add(record: CodeRecord | ReadsRecord, offset: number, length: number): boolean {
    const execution = this.list.at(-1);
    if (execution === undefined) return false;
    const place = { file: record.file, offset, length };
    if (record.type === 'code') execution.code.push({ ...place, code: record.code });
    else execution.reads.push(place);
    return true;
  }

  /** The execution that wrote the line at an offset. */
  at(offset: number): ExecutionCode | undefined {
    return this.list.findLast((one) => one.offset <= offset);
  }
}
