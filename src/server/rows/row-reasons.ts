import type { ResultEntry } from '../../model/result.js';
import { standingOf } from '../../model/scores/verdict.js';
import {
  type FailureCause,
  type FailureReason,
  FailureReasons,
  failureCauses,
} from '../../model/summary/failure-reasons.js';
import type { Row } from '../../store/replay/run-index.js';
import { forEachEntry, type RowSource } from './light-row.js';

/** Why each row failed; nothing for rows that did not. */
export type CausesOf = (index: number) => readonly FailureCause[];

const none: readonly FailureCause[] = [];

/** Why the results of a run failed, read from its log once, and again for changed rows. */
export class RowReasons {
  /** The rows that the causes are of. */
  readonly #rows: (Row | undefined)[] = [];
  readonly #causes: (readonly FailureCause[] | undefined)[] = [];
  /** One object for equal causes. */
  readonly #known = new Map<string, FailureCause>();
  #queue: Promise<unknown> = Promise.resolve();

  /** Reads why the rows of one moment failed. */
  read(source: RowSource, signal?: AbortSignal): Promise<CausesOf> {
    const read = this.#queue.then(() => this.#read(source, signal));
    this.#queue = read.catch(() => undefined);
    return read;
  }

  async #read(source: RowSource, signal?: AbortSignal): Promise<CausesOf> {
    const failed: number[] = [];
    for (const [index, row] of source.rows.entries()) {
      if (row === this.#rows[index]) continue;
      if (isFailure(row)) failed.push(index);
      else this.#note(index, row, none);
    }
    const note = (index: number, entry: ResultEntry) =>
      this.#note(index, source.rows[index], failureCauses(entry));
    await forEachEntry(source, failed, note, { signal });
    const causes = this.#causes.slice();
    return (index) => causes[index] ?? none;
  }

  #note(index: number, row: Row | undefined, causes: readonly FailureCause[]): void {
    this.#rows[index] = row;
    this.#causes[index] = causes.map((cause) => {
      const name = JSON.stringify([cause.key, cause.text]);
      const known = this.#known.get(name) ?? cause;
      this.#known.set(name, known);
      return known;
    });
  }
}

/** Whether a row failed or is an error. */
export function isFailure(row: Row): boolean {
  const standing = standingOf(row);
  return standing === 'failed' || standing === 'error';
}

/** Groups rows by why they failed. */
export function reasonsAmong(indices: Uint32Array, causesOf: CausesOf): readonly FailureReason[] {
  const reasons = new FailureReasons();
  for (const index of indices) reasons.add(index, causesOf(index));
  return reasons.list();
}
