/** Kinds of events of a row. */
export const eventKinds = {
  planned: 0,
  finished: 1,
  regraded: 2,
  edited: 3,
  imported: 4,
  reset: 5,
  cancelled: 6,
  pruned: 7,
  calls: 8,
  late_calls: 9,
  pass: 10,
  graded_beside: 11,
  same_code: 12,
  gone: 13,
  back: 14,
} as const;

/** One event of a row; `length` is 0 for the kinds that have no line of their own. */
export interface EventPlace {
  readonly kind: number;
  /** Byte offset of the line in the log. */
  readonly offset: number;
  /** Bytes of the line, without its line end. */
  readonly length: number;
}

/** A row is to run again: as a repeat, or in a new pass of its evaluation. */
export const resetPlace: EventPlace = { kind: eventKinds.reset, offset: 0, length: 0 };
export const passPlace: EventPlace = { kind: eventKinds.pass, offset: 0, length: 0 };

/** The place of a line about the attempt that counts, as one of the newer attempt. */
export function beside({ offset, length }: EventPlace): EventPlace {
  return { kind: eventKinds.graded_beside, offset, length };
}

// An event is four words: the event before it and its kind, its length, and the two halves of its offset.
const words = 4;
const kindBits = 4;
const chunkBits = 12;
const chunkEvents = 2 ** chunkBits;
const half = 2 ** 32;

// The lowest bits of the number of an event: the row was reset after it.
const resetBits = 2;
const repeatBit = 1;
const passBit = 2;

/**
 * The events of all rows of a log. A row has the number that `add` returned for its last event, 0 before the first; the
 * event knows that of the one before it. Nothing changes once it is added, so a number is a snapshot.
 */
export class RowEventIndex {
  /** In chunks outside the heap, so that growing copies nothing. */
  readonly #chunks: Uint32Array[] = [];
  #count = 0;

  /** Adds an event to those of a row. A reset takes no room: it is one of the two lowest bits of the number. */
  add(last: number, { kind, offset, length }: EventPlace): number {
    if (kind === eventKinds.reset) return last | repeatBit;
    if (kind === eventKinds.pass) return last | passBit;
    const at = (this.#count % chunkEvents) * words;
    if (at === 0) this.#chunks.push(new Uint32Array(chunkEvents * words));
    const chunk = this.#chunks[this.#count >>> chunkBits] as Uint32Array;
    chunk[at] = last * 2 ** kindBits + kind;
    chunk[at + 1] = length;
    chunk[at + 2] = offset % half;
    chunk[at + 3] = offset / half;
    this.#count += 1;
    return this.#count * 2 ** resetBits;
  }

  /** The events to replay for the state of a row and its earlier attempts; never its calls. */
  toReplay(last: number): EventPlace[] {
    return this.#of(last).filter(({ kind }) => kind !== eventKinds.calls);
  }

  /** Lines with the calls of a row: those of its last attempt, and those that ended after it. */
  callsOf(last: number): EventPlace[] {
    let places: EventPlace[] = [];
    let next: EventPlace | undefined;
    for (const place of this.#of(last)) {
      if (place.kind === eventKinds.calls) next = place;
      else if (place.kind === eventKinds.late_calls) places.push(place);
      else if (endsCalls.has(place.kind)) {
        places = next === undefined || isReset(place.kind) ? [] : [next];
        next = undefined;
      }
    }
    return places;
  }

  /** Bytes of all lines of a row but those of its calls: an upper bound for the size of its values. */
  bytesOf(last: number): number {
    let bytes = 0;
    for (let number = last; number >= 2 ** resetBits; ) {
      const { chunk, at } = this.#at(number);
      const link = chunk[at] as number;
      if (link % 2 ** kindBits !== eventKinds.calls) bytes += chunk[at + 1] as number;
      number = link >>> kindBits;
    }
    return bytes;
  }

  /** All events of a row, in order. */
  #of(last: number): EventPlace[] {
    const places: EventPlace[] = [];
    for (let number = last; number > 0; ) {
      if (number & passBit) places.push(passPlace);
      else if (number & repeatBit) places.push(resetPlace);
      if (number < 2 ** resetBits) break;
      const { chunk, at } = this.#at(number);
      const link = chunk[at] as number;
      const offset = (chunk[at + 3] as number) * half + (chunk[at + 2] as number);
      places.push({ kind: link % 2 ** kindBits, offset, length: chunk[at + 1] as number });
      number = link >>> kindBits;
    }
    return places.reverse();
  }

  #at(number: number): { readonly chunk: Uint32Array; readonly at: number } {
    const event = (number >>> resetBits) - 1;
    const chunk = this.#chunks[event >>> chunkBits] as Uint32Array;
    return { chunk, at: (event % chunkEvents) * words };
  }
}

function isReset(kind: number): boolean {
  return kind === eventKinds.reset || kind === eventKinds.pass;
}

const endsCalls = new Set<number>([
  eventKinds.reset,
  eventKinds.pass,
  eventKinds.finished,
  eventKinds.regraded,
  eventKinds.imported,
]);
