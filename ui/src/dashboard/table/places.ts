import type { Opening } from './table-layout.js';

/** A row that has the focus: one that matches, or a trial of it. */
export interface Place {
  readonly position: number;
  /** Index of the result, of a trial. */
  readonly index?: number;
  /** What the row at the position stands for, when the reader went there and it had been read. */
  readonly id?: string;
}

/** Where the reader was in a view of a run, as far as that is known. */
export interface KeptPlace {
  /** How far the page is scrolled, in pixels. */
  readonly top?: number;
  readonly active?: Place;
  readonly openings?: readonly Opening[];
  /** Heights of details, by the index of their result. */
  readonly heights?: ReadonlyMap<string, number>;
}

const most = 50;
const places = new Map<string, KeptPlace>();

const keyOf = (run: string, query: string) => `${run}?${query}`;

/** Keeps where the reader is, for the way back; what is not said stays as it was. */
export function keepPlace(run: string, query: string, place: KeptPlace): void {
  const key = keyOf(run, query);
  const before = places.get(key);
  places.delete(key);
  places.set(key, { ...before, ...place });
  for (const [oldest] of places) {
    if (places.size <= most) break;
    places.delete(oldest);
  }
}

/** Where the reader was in a view of a run. */
export function keptPlace(run: string, query: string): KeptPlace | undefined {
  return places.get(keyOf(run, query));
}
