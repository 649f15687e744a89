import { type Cost, noCost } from '../../model/calls/run-usage.js';
import { resultStatuses } from '../../model/result.js';
import type { IndexedRow } from '../log/entry-reading.js';
import type { PlannedRecord } from '../log/records.js';
import { beside, type EventPlace } from '../log/row-event-index.js';
import { applyEvent, countsAfter, type RowEvent, type RowState, untouched } from './row-state.js';
import { RunReplay } from './run-replay.js';

// A row is two words: the number of its events, and that of its state.
const words = 2;

type KeptState = Pick<RowState<never>, 'status' | 'noDraw' | 'pruned'>;

/** A run with only the place and the status of each row in memory, about 40 bytes a row. */
export class RunOutline extends RunReplay {
  #rows = new Uint32Array(1024 * words);
  #total = 0;
  /** Rows that a regrade left with their former grades. */
  readonly #left = new Set<number>();
  /** The attempts that count, where a repeat is newer. */
  readonly #counted = new Map<number, IndexedRow['row']>();

  override get total(): number {
    return this.#total;
  }

  override get hasPending(): boolean {
    for (let index = 0; index < this.#total; index += 1) {
      if (this.#rows[index * words + 1] === pending) return true;
    }
    return false;
  }

  /** The rows at `indices`, or all of them. */
  *rows(indices?: readonly number[]): Generator<IndexedRow> {
    const { length } = indices ?? { length: this.#total };
    for (let at = 0; at < length; at += 1) {
      const index = indices?.[at] ?? at;
      if (index < this.#total) yield { index, row: this.#row(index) };
    }
  }

  /** Not known: nothing of it is kept. */
  override get spent(): Cost {
    return noCost;
  }

  protected override isPending(index: number): boolean {
    return this.#row(index).status === 'pending';
  }

  protected override plan({ index }: PlannedRecord, place: EventPlace): void {
    this.#total = Math.max(this.#total, index + 1);
    if (this.#total * words > this.#rows.length) {
      const longer = new Uint32Array(this.#total * words * 2);
      longer.set(this.#rows);
      this.#rows = longer;
    }
    this.#add(index, place);
  }

  protected override leave(index: number): void {
    if (index < this.#total) this.#left.add(index);
  }

  protected override addPlace(index: number, place: EventPlace): boolean {
    if (index >= this.#total) return false;
    this.#add(index, place);
    return true;
  }

  protected override update(index: number, event: RowEvent, place: EventPlace): boolean {
    if (index >= this.#total) return false;
    const counted = this.#counted.get(index);
    if ('attempt' in event && event.attempt === 'counted') {
      if (counted === undefined) return true;
      const { status } = after({ ...untouched, ...counted }, event);
      this.#counted.set(index, { status, events: this.events.add(counted.events, place) });
      if (event.type === 'regraded') this.#add(index, beside(place));
      return true;
    }
    const before = states[this.#rows[index * words + 1] as number] ?? untouched;
    const counts = countsAfter(before, counted !== undefined, event);
    if (counts === 'before') this.#counted.set(index, this.#row(index));
    else if (counts === 'newest') this.#counted.delete(index);
    else if (counted !== undefined && event.type === 'same_code') {
      this.#counted.set(index, { ...counted, events: this.events.add(counted.events, place) });
    }
    const isLeft = this.#left.has(index);
    const now = after(isLeft ? { ...before, hasFormerGrade: true } : before, event);
    this.#rows[index * words + 1] = wordOf(now);
    if (now.hasFormerGrade === true) this.#left.add(index);
    else if (isLeft) this.#left.delete(index);
    this.#add(index, place);
    return true;
  }

  #add(index: number, place: EventPlace): void {
    const at = index * words;
    this.#rows[at] = this.events.add(this.#rows[at] as number, place);
  }

  #row(index: number): IndexedRow['row'] {
    const at = index * words;
    const { status } = states[this.#rows[at + 1] as number] ?? untouched;
    const counted = this.#counted.get(index);
    const former = this.#left.has(index) && { hasFormerGrade: true };
    return { status, events: this.#rows[at] as number, ...former, ...(counted && { counted }) };
  }
}

/** States of a row by name. */
const states = [undefined, true].flatMap((pruned) =>
  [undefined, true].flatMap((noDraw) =>
    resultStatuses.map((status): RowState<never> => ({ ...untouched, status, pruned, noDraw })),
  ),
);

function wordOf({ status, noDraw, pruned }: KeptState): number {
  const flags = (noDraw === true ? 1 : 0) + (pruned === true ? 2 : 0);
  return resultStatuses.indexOf(status) + flags * resultStatuses.length;
}

function after(before: RowState<never>, event: RowEvent): RowState<never> {
  const row = { ...before };
  applyEvent(row, event, () => []);
  return row;
}

const pending = wordOf({ status: 'pending' });
