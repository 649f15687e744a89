import { type Percentiles, percentilesOf } from '../../statistics/percentile.js';
import { type Scale, ScaleFinder } from '../../statistics/value-scale.js';
import type { RowFacts } from '../result.js';

/** The scale of each score's values, by key. */
export type ScoreScales = ReadonlyMap<string, Scale>;

/**
 * Finds the scales of the scores of a run, without pruned rows. A part of the rows may appear to have another
 * scale.
 */
export function scoreScales(rows: Iterable<Pick<RowFacts, 'scores' | 'pruned'>>): ScoreScales {
  const finders = new Map<string, ScaleFinder>();
  for (const { scores, pruned } of rows) {
    if (pruned === true) continue;
    for (const { key, value, scale } of scores) {
      if (value === undefined) continue;
      let finder = finders.get(key);
      if (finder === undefined) {
        finder = new ScaleFinder();
        finders.set(key, finder);
      }
      finder.add(value, 1, scale);
    }
  }
  return new Map([...finders].map(([key, { scale }]) => [key, scale]));
}

/** The values of a score: their scale and percentiles. */
export class ScoreValues extends ScaleFinder {
  readonly #values: number[] = [];
  #areKnown = true;

  override add(sum: number, count = 1, declared?: readonly [number, number]): void {
    super.add(sum, count, declared);
    if (count === 1) this.#values.push(sum);
    else this.#areKnown = false;
  }

  /** `null` if only sums are known for some values. */
  percentiles(): Percentiles {
    return percentilesOf(this.#areKnown ? Float64Array.from(this.#values).sort() : []);
  }
}
