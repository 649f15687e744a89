import type { RowFacts } from '../result.js';

/** Numbers the cases of rows. A row without trials is a case of its own. */
export class ClusterNumbers {
  readonly #numbers = new Map<string, number>();
  #count = 0;
  #lastId: string | undefined;
  #last = 0;

  of({ trial_of: id }: Pick<RowFacts, 'trial_of'>): number {
    // Trials of one case are mostly adjacent; comparing is cheaper than a lookup.
    if (id !== undefined && id === this.#lastId) return this.#last;
    const known = id === undefined ? undefined : this.#numbers.get(id);
    this.#last = known ?? this.#count;
    this.#lastId = id;
    if (known === undefined) {
      this.#count += 1;
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
  /** Made when a cluster comes again after others, which needs trials apart from each other. */
  #places: Map<number, number> | undefined;
  #newest = -1;
  #last = -1;
  #place = -1;

  add(cluster: number, value: number): void {
    if (cluster !== this.#last) this.#find(cluster);
    this.sums[this.#place] = (this.sums[this.#place] ?? 0) + value;
    this.counts[this.#place] = (this.counts[this.#place] ?? 0) + 1;
    this.squares += value ** 2;
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
