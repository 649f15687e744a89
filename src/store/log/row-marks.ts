import type { CaseFingerprint } from '../../model/code/file-code.js';
import { whyUnreadable } from '../../model/kept-here.js';
import type { ResultStatus } from '../../model/result.js';
import { applyEvent, type Changing, type RowState, untouched } from '../replay/row-state.js';
import { type IndexedRow, readEvents } from './entry-reading.js';
import type { LogFile } from './log-file.js';

/** A line of the log that ran or graded a result. */
export interface Mark {
  readonly offset: number;
  /** The `code` of the line. */
  readonly code: string | undefined;
  /** It was taken from another run, so that `code` is from there. */
  readonly isTaken: boolean;
}

/** What of a result says which code it is of. */
export interface RowMarks {
  readonly index: number;
  readonly status: ResultStatus;
  /** Of its case when it ran, and of its grading when it was graded. */
  readonly fingerprint: CaseFingerprint | undefined;
  /** Of its last plan. */
  readonly planned: CaseFingerprint | undefined;
  /** Absent if it has not finished. */
  readonly ran: Mark | undefined;
  /** The last line that graded it: `ran`, or a regrade. */
  readonly graded: Mark | undefined;
  /** Its target has finished, and its output is stored exactly. */
  readonly isExact: boolean;
  /** What it, or its grading, was seen to do that no fingerprint follows. */
  readonly hazard: string | undefined;
}

/** Reads the marks of rows; memory is bounded like that of all results. */
export async function* readMarks(
  file: LogFile,
  rows: Iterable<IndexedRow>,
): AsyncGenerator<RowMarks> {
  for await (const { index, events } of readEvents(file, rows)) {
    const state: Changing<RowState<never>> = { ...untouched };
    let planned: CaseFingerprint | undefined;
    let fingerprint: CaseFingerprint | undefined;
    let ran: Mark | undefined;
    let graded: Mark | undefined;
    let isExact = false;
    let hazard: string | undefined;
    for (const { event, place } of events) {
      applyEvent(state, event, () => []);
      if (event.type === 'planned') planned = event.fingerprint;
      if (event.type === 'reset') [ran, graded, isExact] = [undefined, undefined, false];
      if (event.type === 'finished' || event.type === 'imported') {
        const isTaken = event.type === 'imported' && event.origin !== undefined;
        ran = { offset: place.offset, code: event.code, isTaken };
        graded = ran;
        fingerprint = planned;
        isExact =
          event.exact === true &&
          event.regradable === true &&
          whyUnreadable(event.kept) === undefined;
        hazard = event.hazard;
      }
      if (event.type === 'regraded') {
        graded = { offset: place.offset, code: event.code, isTaken: false };
        isExact &&= event.exact === true;
        hazard ??= event.hazard;
        fingerprint = fingerprint && planned && { ...fingerprint, grading: planned.grading };
      }
    }
    yield { index, status: state.status, fingerprint, planned, ran, graded, isExact, hazard };
  }
}
