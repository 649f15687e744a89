/** The bounds of a 95 % interval; `null` where none can be given. */
export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/** An estimate with the bounds of its 95 % interval. */
export interface Estimate extends Bounds {
  readonly estimate: number;
}

/** Where no interval can be given. */
export const noBounds: Bounds = { low: null, high: null };
