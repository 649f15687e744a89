import { type Origin, originKinds, type ResultStatus, type RowFacts } from '../../model/result.js';
import type { Standing } from '../../model/scores/verdict.js';
import {
  type FilterName,
  filterBits,
  filterKinds,
  type Misses,
  type RowTraits,
  standingsOfResults,
} from './filters.js';

/**
 * The filter values of rows, and how many rows each would match, given the filters of all other kinds. Values are in
 * order of first appearance in the run.
 */
export type RowFacets = ReturnType<FacetCounter['facets']>;

/** Maximum length of a list of values. */
const mostValues = 200;

/** Counts the matches of each filter value. */
export function facetsOf(rows: readonly RowFacts[], misses: Misses, traits: RowTraits): RowFacets {
  const counter = new FacetCounter();
  for (const [index, row] of rows.entries()) {
    counter.add(row, misses[index] ?? 0, index, traits);
  }
  return counter.facets();
}

/** Counts matches of filter values row by row. */
export class FacetCounter {
  readonly #values = {
    dataset: new FacetCounts<string>(),
    label: new FacetCounts<string>(),
    status: new FacetCounts<ResultStatus | Standing>(standingsOfResults),
    flaky: new FacetCounts<boolean>([true, false]),
    origin: new FacetCounts<Origin['kind']>(originKinds),
  };
  readonly #scores = {
    passed: new FacetCounts<string>(),
    failed: new FacetCounts<string>(),
    valued: new FacetCounts<string>(),
  };

  /** `missed`: the kinds that exclude the row. Consecutive rows with the same `owner` count as one. */
  add(row: RowFacts, missed: number, owner: number, traits: RowTraits): void {
    // It counts for a kind when no other kind excludes it.
    const ownerFor = (name: FilterName) => ((missed & ~filterBits[name]) === 0 ? owner : undefined);
    for (const name of facetNames) {
      // The counts of a name are of the values of its kind.
      const counts = this.#values[name] as FacetCounts<unknown>;
      const values = filterKinds[name].valuesOf?.(row, traits) ?? [];
      for (const value of values) counts.add(value, ownerFor(name));
    }
    const scoreOwner = ownerFor('score');
    for (const { key, passed, value } of row.scores) {
      this.#scores.passed.add(key, passed === true ? scoreOwner : undefined);
      if (passed === false) this.#scores.failed.add(key, scoreOwner);
      if (value !== undefined) this.#scores.valued.add(key, scoreOwner);
    }
  }

  /** `cut`: the names of the lists that were cut to their most frequent values. */
  facets() {
    const { dataset, label, status, flaky, origin } = this.#values;
    const { passed, failed, valued } = this.#scores;
    const lists = {
      dataset: dataset.values(),
      label: label.values(),
      score: passed.values().map(({ value: key, count }) => ({
        ...{ key, passed: count, failed: failed.of(key), valued: valued.of(key) },
      })),
    };
    const cut = (['dataset', 'label', 'score'] as const).filter(
      (name) => lists[name].length > mostValues,
    );
    return {
      dataset: largest(lists.dataset, ({ count }) => count),
      label: largest(lists.label, ({ count }) => count),
      status: status.values(),
      score: largest(lists.score, (one) => one.passed + one.failed + one.valued),
      flaky: flaky.values(),
      origin: origin.values(),
      cut,
    };
  }
}

const facetNames = ['dataset', 'label', 'status', 'flaky', 'origin'] as const;

/** The number of owners per value. */
export class FacetCounts<T> {
  readonly #counts = new Map<T, { count: number; owner: number | undefined }>();

  /** `values`: listed even if they do not occur. */
  constructor(values: readonly T[] = []) {
    for (const value of values) this.add(value, undefined);
  }

  /** Lists a value, and counts its owner, if given, unless it was counted last. */
  add(value: T, owner: number | undefined): void {
    let known = this.#counts.get(value);
    if (known === undefined) {
      known = { count: 0, owner: undefined };
      this.#counts.set(value, known);
    }
    if (owner === undefined || owner === known.owner) return;
    known.owner = owner;
    known.count += 1;
  }

  of(value: T): number {
    return this.#counts.get(value)?.count ?? 0;
  }

  /** The values with the number of their owners, in order of first appearance. */
  values() {
    return [...this.#counts].map(([value, { count }]) => ({ value, count }));
  }
}

/** The list, cut to its most frequent values, in the same order. */
function largest<T>(list: readonly T[], size: (member: T) => number): readonly T[] {
  if (list.length <= mostValues) return list;
  const bySize = [...list].sort((a, b) => size(b) - size(a));
  const kept = new Set(bySize.slice(0, mostValues));
  return list.filter((member) => kept.has(member));
}
