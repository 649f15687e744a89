import type { RowIdentity } from '../result.js';

/**
 * Numbers the units of rows or cases: those of one cluster, else the trials of one case. Without either, each is a unit
 * of its own.
 */
export class ClusterNumbers {
  readonly #numbers = new Map<string, number>();
  /** The number of units so far. */
  count = 0;
  /** A cluster was among them. */
  hasClusters = false;
  #lastId: string | undefined;
  #last = 0;

  of({ trial_of, cluster }: Pick<RowIdentity, 'trial_of' | 'cluster'>): number {
    if (cluster !== undefined) this.hasClusters = true;
    const id = cluster === undefined ? trial_of : `\0${cluster}`;
    // Those of one unit are mostly adjacent; comparing is cheaper than a lookup.
    if (id !== undefined && id === this.#lastId) return this.#last;
    const known = id === undefined ? undefined : this.#numbers.get(id);
    this.#last = known ?? this.count;
    this.#lastId = id;
    if (known === undefined) {
      this.count += 1;
      if (id !== undefined) this.#numbers.set(id, this.#last);
    }
    return this.#last;
  }
}

/** Sums and counts by cluster, for the clusters that have any. */
export class ClusterTotals {
  readonly sums: number[] = [];
  readonly counts: number[] = [];
  /** The sum of the squares of all values. */
  squares = 0;
  /** The cluster of each place. */
  readonly #clusters: number[] = [];
  /** Made when a cluster comes again after others. */
  #places: Map<number, number> | undefined;
  #newest = -1;
  #last = -1;
  #place = -1;

  /** Adds a value, or the sum of `count` values, which have this sum of squares. */
  add(cluster: number, sum: number, count = 1, squares = sum ** 2): void {
    if (cluster !== this.#last) this.#find(cluster);
    this.sums[this.#place] = (this.sums[this.#place] ?? 0) + sum;
    this.counts[this.#place] = (this.counts[this.#place] ?? 0) + count;
    this.squares += squares;
  }

  #find(cluster: number): void {
    this.#last = cluster;
    this.#place =
      (cluster > this.#newest ? undefined : this.#placeOf(cluster)) ?? this.#add(cluster);
    this.#newest = Math.max(this.#newest, cluster);
  }

  #placeOf(cluster: number): number | undefined {
    this.#places ??= new Map(this.#clusters.map((known, place) => [known, place]));
    return this.#places.get(cluster);
  }

  #add(cluster: number): number {
    const place = this.#clusters.push(cluster) - 1;
    this.sums.push(0);
    this.counts.push(0);
    this.#places?.set(cluster, place);
    return place;
  }
}
