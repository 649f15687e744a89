/** The bounds of a 95 % interval; `null` if there is no interval. */
export interface Bounds {
  readonly low: number | null;
  readonly high: number | null;
}

/** An estimate with the bounds of its 95 % interval. */
export interface Estimate extends Bounds {
  readonly estimate: number;
}

/** The bounds of a missing interval. */
export const noBounds: Bounds = { low: null, high: null };
