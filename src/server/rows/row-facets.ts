import { type ResultStatus, type RowFacts, resultStatuses } from '../../model/result.js';
import { standingOf, type Verdict, verdicts } from '../../model/verdict.js';
import { kindBits, type Misses } from './row-filter.js';

/** How many rows a filter by one value would leave. */
export interface FacetValue<T> {
  readonly value: T;
  readonly count: number;
}

/** How many rows a filter by one score would leave. */
export interface ScoreFacet {
  readonly key: string;
  readonly passed: number;
  readonly failed: number;
  /** Rows in which the score has a value. */
  readonly valued: number;
}

/**
 * What filters are there, and how many rows each would leave: counted over the rows that match all filters of
 * other kinds. Values in order of first appearance in the run.
 */
export interface RowFacets {
  readonly dataset: readonly FacetValue<string>[];
  readonly label: readonly FacetValue<string>[];
  readonly status: readonly FacetValue<ResultStatus | Verdict>[];
  readonly score: readonly ScoreFacet[];
  readonly flaky: readonly FacetValue<boolean>[];
  /** Names of the lists that were cut to their largest 200. */
  readonly cut: readonly ('dataset' | 'label' | 'score')[];
}

/** Longest list of values. */
const mostValues = 200;

/** Counts what each filter would leave. */
export function facetsOf(
  rows: readonly RowFacts[],
  misses: Misses,
  isFlaky: (row: RowFacts) => boolean,
): RowFacets {
  const datasets = new Counts<string>();
  const labels = new Counts<string>();
  const statuses = new Counts<ResultStatus | Verdict>([...resultStatuses, ...verdicts]);
  const flaky = new Counts<boolean>([true, false]);
  const scores = new ScoreCounts();
  for (const [index, row] of rows.entries()) {
    const missed = misses[index] ?? 0;
    // True when no other kind than this one leaves the row out.
    const isLeft = (bit: number) => (missed & ~bit) === 0;
    datasets.add(row.dataset, isLeft(kindBits.dataset));
    for (const label of row.labels) labels.add(label, isLeft(kindBits.label));
    scores.add(row, isLeft(kindBits.score));
    if (isLeft(kindBits.flaky)) flaky.add(isFlaky(row), true);
    if (isLeft(kindBits.status)) addStatus(statuses, row);
  }
  const lists = {
    dataset: datasets.values(),
    label: labels.values(),
    score: scores.facets(),
  };
  const cut = (['dataset', 'label', 'score'] as const).filter(
    (name) => lists[name].length > mostValues,
  );
  return {
    dataset: largest(lists.dataset, ({ count }) => count),
    label: largest(lists.label, ({ count }) => count),
    status: statuses.values(),
    score: largest(lists.score, ({ passed, failed, valued }) => passed + failed + valued),
    flaky: flaky.values(),
    cut,
  };
}

function addStatus(statuses: Counts<ResultStatus | Verdict>, row: RowFacts): void {
  statuses.add(row.status, true);
  const standing = standingOf(row);
  if (standing !== row.status) statuses.add(standing, true);
}

class Counts<T> {
  readonly #counts = new Map<T, { count: number }>();

  constructor(values: readonly T[] = []) {
    for (const value of values) this.add(value, false);
  }

  /** Makes the value known, and counts it. */
  add(value: T, counts: boolean): void {
    let known = this.#counts.get(value);
    if (known === undefined) {
      known = { count: 0 };
      this.#counts.set(value, known);
    }
    if (counts) known.count += 1;
  }

  values(): FacetValue<T>[] {
    return [...this.#counts].map(([value, { count }]) => ({ value, count }));
  }
}

class ScoreCounts {
  readonly #keys = new Map<string, { passed: number; failed: number; valued: number }>();

  add(row: RowFacts, counts: boolean): void {
    for (const score of row.scores) {
      let facet = this.#keys.get(score.key);
      if (facet === undefined) {
        facet = { passed: 0, failed: 0, valued: 0 };
        this.#keys.set(score.key, facet);
      }
      if (!counts) continue;
      if (score.passed === true) facet.passed += 1;
      if (score.passed === false) facet.failed += 1;
      if (score.value !== undefined) facet.valued += 1;
    }
  }

  facets(): ScoreFacet[] {
    return [...this.#keys].map(([key, counts]) => ({ key, ...counts }));
  }
}

/** The list itself, or its largest members in the same order. */
function largest<T>(list: readonly T[], size: (member: T) => number): readonly T[] {
  if (list.length <= mostValues) return list;
  const bySize = [...list].sort((a, b) => size(b) - size(a));
  const kept = new Set(bySize.slice(0, mostValues));
  return list.filter((member) => kept.has(member));
}
