import {
  type Origin,
  originKinds,
  type ResultStatus,
  type RowFacts,
  resultStatuses,
} from '../../model/result.js';
import { type Standing, standingOf, verdicts } from '../../model/scores/verdict.js';
import { kindBits, type Misses } from './row-filter.js';

/** The number of rows that match one value. */
export interface FacetValue<T> {
  readonly value: T;
  readonly count: number;
}

/** The number of rows that match one score. */
export interface ScoreFacet {
  readonly key: string;
  readonly passed: number;
  readonly failed: number;
  /** Rows in which the score has a value. */
  readonly valued: number;
}

/**
 * The filter values of rows, and how many rows each would match, given the filters of all other kinds. Values are in
 * order of first appearance in the run.
 */
export interface RowFacets {
  readonly dataset: readonly FacetValue<string>[];
  readonly label: readonly FacetValue<string>[];
  readonly status: readonly FacetValue<ResultStatus | Standing>[];
  readonly score: readonly ScoreFacet[];
  readonly flaky: readonly FacetValue<boolean>[];
  readonly origin: readonly FacetValue<Origin['kind']>[];
  /** Names of the lists that were cut to their 200 most frequent values. */
  readonly cut: readonly ('dataset' | 'label' | 'score')[];
}

/** Maximum length of a list of values. */
const mostValues = 200;

/** Counts the matches of each filter value. */
export function facetsOf(
  rows: readonly RowFacts[],
  misses: Misses,
  isFlaky: (row: RowFacts) => boolean,
): RowFacets {
  const counter = new FacetCounter();
  for (const [index, row] of rows.entries()) {
    counter.add(row, misses[index] ?? 0, index, isFlaky);
  }
  return counter.facets();
}

/** Counts matches of filter values row by row. */
export class FacetCounter {
  readonly #datasets = new FacetCounts<string>();
  readonly #labels = new FacetCounts<string>();
  readonly #statuses = new FacetCounts<ResultStatus | Standing>([
    ...resultStatuses,
    ...verdicts,
    'pruned',
  ]);
  readonly #flaky = new FacetCounts<boolean>([true, false]);
  readonly #origins = new FacetCounts<Origin['kind']>(originKinds);
  readonly #passed = new FacetCounts<string>();
  readonly #failed = new FacetCounts<string>();
  readonly #valued = new FacetCounts<string>();

  /** `missed`: the kinds that exclude the row. Consecutive rows with the same `owner` count as one. */
  add(row: RowFacts, missed: number, owner: number, isFlaky: (row: RowFacts) => boolean): void {
    // It counts for a kind when no other kind excludes it.
    const ownerFor = (bit: number) => ((missed & ~bit) === 0 ? owner : undefined);
    this.#datasets.add(row.dataset, ownerFor(kindBits.dataset));
    for (const label of row.labels) this.#labels.add(label, ownerFor(kindBits.label));
    this.#statuses.add(row.status, ownerFor(kindBits.status));
    const standing = standingOf(row);
    if (standing !== row.status) this.#statuses.add(standing, ownerFor(kindBits.status));
    this.#addScores(row, ownerFor(kindBits.score));
    const flakyOwner = ownerFor(kindBits.flaky);
    if (flakyOwner !== undefined) this.#flaky.add(isFlaky(row), flakyOwner);
    if (row.origin !== undefined) this.#origins.add(row.origin.kind, ownerFor(kindBits.origin));
  }

  facets(): RowFacets {
    const lists = {
      dataset: this.#datasets.values(),
      label: this.#labels.values(),
      score: this.#scoreFacets(),
    };
    const cut = (['dataset', 'label', 'score'] as const).filter(
      (name) => lists[name].length > mostValues,
    );
    return {
      dataset: largest(lists.dataset, ({ count }) => count),
      label: largest(lists.label, ({ count }) => count),
      status: this.#statuses.values(),
      score: largest(lists.score, ({ passed, failed, valued }) => passed + failed + valued),
      flaky: this.#flaky.values(),
      origin: this.#origins.values(),
      cut,
    };
  }

  #addScores({ scores }: RowFacts, owner: number | undefined): void {
    for (const { key, passed, value } of scores) {
      this.#passed.add(key, passed === true ? owner : undefined);
      if (owner === undefined) continue;
      if (passed === false) this.#failed.add(key, owner);
      if (value !== undefined) this.#valued.add(key, owner);
    }
  }

  #scoreFacets(): ScoreFacet[] {
    return this.#passed.values().map(({ value: key, count: passed }) => ({
      key,
      passed,
      failed: this.#failed.of(key),
      valued: this.#valued.of(key),
    }));
  }
}

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

  /** In order of first appearance. */
  values(): FacetValue<T>[] {
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
