import { sumOf } from './sums.js';

/** Rows of a run, of which some were drawn at random and labelled. */
export interface DrawnSample {
  /** For each row a whole number from 0, the same for those that are alike: all trials of a case, or of the cases of a cluster. */
  readonly clusters: ArrayLike<number>;
  /** The position of the stratum of each row. */
  readonly strata: ArrayLike<number>;
  /** The rows in each stratum. */
  readonly sizes: readonly number[];
  /** The positions of the labelled rows, in ascending order. */
  readonly labelled: readonly number[];
}

/** The number of rows of a stratum, and of those that are labelled. */
interface Stratum {
  readonly rows: number;
  readonly labels: number;
}

/**
 * The labelled rows among all rows of a run, and how much each stands for. Rows were drawn at random from each stratum, so
 * a labelled row of stratum h, of whose Mₕ rows nₕ are labelled, has the weight Mₕ / (M nₕ)
 * (Cochran 1977, Sampling Techniques, chapter 5). Strata with fewer than two labels, which do not show how much their rows
 * differ, are taken together, with the one that has fewest labels among the others if need be (section 5A.12).
 */
export class LabelledSample {
  /** The positions of the labelled rows. */
  readonly labelled: Int32Array;
  /** Of the labelled rows, in the same order; they add up to 1. */
  readonly weights: Float64Array;
  /** The number of clusters that have a labelled row. */
  readonly clusters: number;
  readonly #unlabelled: Int32Array;
  readonly #strata: readonly Stratum[];
  /** The position of the stratum of each row. */
  readonly #places: Int32Array;
  readonly #clusterOf: Int32Array;
  /** The number of all rows. */
  readonly size: number;

  constructor({ clusters, strata: strataOf, sizes, labelled }: DrawnSample) {
    const count = strataOf.length;
    const isLabelled = new Uint8Array(count);
    for (const row of labelled) isLabelled[row] = 1;
    const labels = new Float64Array(sizes.length);
    for (const row of labelled) labels[at(strataOf, row)] = at(labels, at(strataOf, row)) + 1;
    const { strata, places } = joinSmall(
      sizes.map((size, h) => ({ rows: size, labels: at(labels, h) })),
    );
    this.labelled = Int32Array.from(labelled);
    this.#unlabelled = new Int32Array(count).map((_, row) => row).filter((row) => !isLabelled[row]);
    this.clusters = new Set(labelled.map((row) => clusters[row])).size;
    this.#strata = strata;
    this.#places = new Int32Array(count).map((_, row) => at(places, at(strataOf, row)));
    this.#clusterOf = Int32Array.from(clusters);
    this.size = sumOf(sizes);
    const weights = strata.map(({ rows, labels: of }) => rows / this.size / of);
    this.weights = numbers(labelled.length, (n) => at(weights, at(this.#places, at(labelled, n))));
  }

  /** True where all labelled rows stand for equally many. */
  get isSimple(): boolean {
    return this.#strata.length === 1;
  }

  /** The mean of values of the labelled rows, each with its weight. */
  mean(values: ArrayLike<number>): number {
    return sumOf(this.weights.map((weight, n) => weight * at(values, n)));
  }

  /**
   * The slope of values of the labelled rows on predictions of all rows, Σ aₕ Covₕ / Σ aₕ Varₕ with aₕ = Mₕ² (1/nₕ − 1/Mₕ):
   * in one stratum, Cov / Var. 0 where no prediction differs.
   */
  slope(values: ArrayLike<number>, predicted: Float64Array): number {
    const products = new Float64Array(this.#strata.length);
    const guesses = this.of(predicted);
    const own = this.#distances(this.labelled, values);
    const guessed = this.#distances(this.labelled, guesses);
    for (const [n, row] of this.labelled.entries()) {
      const h = at(this.#places, row);
      products[h] = at(products, h) + at(own, n) * at(guessed, n);
    }
    const squares = new Float64Array(this.#strata.length);
    const all = this.#places.map((_, row) => row);
    for (const [row, distance] of this.#distances(all, predicted).entries()) {
      const h = at(this.#places, row);
      squares[h] = at(squares, h) + distance ** 2;
    }
    const present = this.#counts(all);
    const factors = this.#strata.map(({ rows, labels }) => rows ** 2 * (1 / labels - 1 / rows));
    const spread = sumOf(factors.map((a, h) => (a * at(squares, h)) / (at(present, h) - 1)));
    const shared = this.#strata.map(({ labels }, h) => (at(factors, h) * at(products, h)) / labels);
    return spread > 0 ? sumOf(shared) / spread : 0;
  }

  /**
   * The variance of the weighted mean of `values` of the labelled rows, less `slope` times the distance of that of
   * `predicted` from its mean over all rows (`predicted` has a value for each row). Rows are a sample of what the system
   * does, and the labelled ones a sample of them: the variance of double sampling for regression with strata (Cochran
   * 1977, section 12.6), by linearisation over clusters (Rao and Scott 1992, see `clusteredRate`).
   */
  variance(values: Float64Array, slope = 0, predicted: ArrayLike<number> = []): number {
    // The mean of predictions over all rows has that of the labelled ones in it.
    const lefts = this.#strata.map(({ rows, labels }) => slope * (1 - labels / rows));
    const residuals = values.map((value, n) => {
      const row = at(this.labelled, n);
      return value - at(lefts, at(this.#places, row)) * at(predicted, row);
    });
    const few = this.#strata.map(({ labels }) =>
      this.isSimple ? 1 : Math.sqrt(labels / (labels - 1)),
    );
    const sums = new Float64Array(this.#clusterOf.length);
    const add = (row: number, moved: number) => {
      const cluster = at(this.#clusterOf, row);
      sums[cluster] = at(sums, cluster) + moved;
    };
    for (const [n, distance] of this.#distances(this.labelled, residuals).entries()) {
      const row = at(this.labelled, n);
      add(row, at(this.weights, n) * at(few, at(this.#places, row)) * distance);
    }
    if (slope !== 0) {
      const guesses = this.ofOthers(predicted);
      const distances = this.#distances(this.#unlabelled, guesses);
      for (const [n, distance] of distances.entries()) {
        add(at(this.#unlabelled, n), (slope / this.size) * distance);
      }
    }
    if (!this.isSimple) {
      const mean = this.mean(values);
      const own = this.#means(this.labelled, values);
      for (const [row, h] of this.#places.entries()) add(row, (at(own, h) - mean) / this.size);
    }
    const areClustered = this.clusters < this.labelled.length;
    const unbiased = areClustered ? this.clusters / (this.clusters - 1) : 1;
    return unbiased * sumOf(sums.map((sum) => sum ** 2));
  }

  /**
   * How many independent results would have a mean that varies as much: the variance of values over that of their mean. At
   * most the number of labels where rows are alike; as many as there are clusters where nothing varies.
   */
  effectiveSize(values: Float64Array): number {
    const mean = this.mean(values);
    const spread = this.mean(values.map((value) => (value - mean) ** 2));
    const variance = this.variance(values);
    if (spread === 0 || variance === 0) return this.clusters;
    const labels = this.labelled.length;
    return this.clusters < labels ? Math.min(spread / variance, labels) : spread / variance;
  }

  /** What the labelled rows have, of a list for all rows. */
  of(values: Float64Array): Float64Array {
    return numbers(this.labelled.length, (n) => at(values, at(this.labelled, n)));
  }

  /** What the other rows have. */
  ofOthers(values: ArrayLike<number>): Float64Array {
    return numbers(this.#unlabelled.length, (n) => at(values, at(this.#unlabelled, n)));
  }

  /** The distance of each value, of the rows at these positions, from their mean in its stratum. */
  #distances(rows: Int32Array, values: ArrayLike<number>): Float64Array {
    const means = this.#means(rows, values);
    return numbers(rows.length, (n) => at(values, n) - at(means, at(this.#places, at(rows, n))));
  }

  #means(rows: Int32Array, values: ArrayLike<number>): Float64Array {
    const sums = new Float64Array(this.#strata.length);
    for (const [n, row] of rows.entries()) {
      const h = at(this.#places, row);
      sums[h] = at(sums, h) + at(values, n);
    }
    const counts = this.#counts(rows);
    return sums.map((sum, h) => sum / at(counts, h));
  }

  #counts(rows: Int32Array): Float64Array {
    const counts = new Float64Array(this.#strata.length);
    for (const row of rows) {
      const h = at(this.#places, row);
      counts[h] = at(counts, h) + 1;
    }
    return counts;
  }
}

/** The strata with those of fewer than two labels as one, and the place of each in that list. */
function joinSmall(strata: readonly Stratum[]) {
  const isSmall = strata.map(({ labels }) => labels < 2);
  const smallLabels = sumOf(strata.map(({ labels }, h) => (isSmall[h] ? labels : 0)));
  const hasRows = strata.some(({ rows }, h) => isSmall[h] && rows > 0);
  if (hasRows && smallLabels < 2) {
    const others = [...strata.keys()].filter((h) => !isSmall[h]);
    const [fewest] = others.toSorted((a, b) => labelsIn(strata, a) - labelsIn(strata, b));
    if (fewest !== undefined) isSmall[fewest] = true;
  }
  const kept = [...strata.keys()].filter((h) => !isSmall[h]);
  const small = strata.filter((_, h) => isSmall[h]);
  const rest = {
    rows: sumOf(small.map(({ rows }) => rows)),
    labels: sumOf(small.map(({ labels }) => labels)),
  };
  const places = strata.map((_, h) => (isSmall[h] ? kept.length : kept.indexOf(h)));
  const joined = kept.flatMap((h) => strata[h] ?? []);
  return { strata: small.length === 0 ? joined : [...joined, rest], places };
}

function labelsIn(strata: readonly Stratum[], h: number): number {
  return strata[h]?.labels ?? 0;
}

/** So many numbers. `Float64Array.from` takes ten times as long. */
export function numbers(count: number, valueAt: (n: number) => number): Float64Array {
  const list = new Float64Array(count);
  for (let n = 0; n < count; n += 1) list[n] = valueAt(n);
  return list;
}

function at(list: ArrayLike<number>, position: number): number {
  return list[position] ?? 0;
}
