import type { RowFacets } from '../../api/schema.js';
import { type ChosenValues, type FilterKind, type Filters, filterKinds } from '../view-state.js';
import { hasTexts } from './filter-text.js';

/** A filter value. */
export interface FilterValue {
  readonly kind: FilterKind;
  readonly value: string;
  /** The number of matching results; unknown for some. */
  readonly count?: number | undefined;
}

/** The facets of the rows. */
export interface OfferedFacets extends RowFacets {
  /** There are results that are out of date, and so many match the other filters, if that is known. */
  readonly changed?: { readonly count?: number };
}

/** The order of statuses. */
const statusOrder = [
  'failed',
  'error',
  'passed',
  'no_verdict',
  'running',
  'pending',
  'cancelled',
  'not_started',
];

/** The values of a filter: the existing ones, and the chosen ones. */
export function facetValues(
  kind: FilterKind,
  facets: OfferedFacets,
  choice: ChosenValues,
): FilterValue[] {
  const known = offered(kind, facets).map((value) => ({ kind, ...value }));
  const chosen = [...choice.include, ...choice.exclude]
    .filter((value) => !known.some((other) => other.value === value))
    .map((value) => ({ kind, value, ...(isCounted(kind) && { count: 0 }) }));
  return [...known, ...chosen];
}

const isCounted = (kind: FilterKind) =>
  kind === 'dataset' || kind === 'label' || kind === 'status' || kind === 'origin';

function offered(kind: FilterKind, facets: OfferedFacets): { value: string; count?: number }[] {
  switch (kind) {
    case 'dataset':
    case 'label':
      return facets[kind].filter(({ count }) => count > 0);
    case 'status':
      // `completed` is passed, failed and without a verdict together.
      return statusOrder.flatMap((value) =>
        facets.status.filter((facet) => facet.value === value && facet.count > 0),
      );
    case 'score':
      return facets.score.flatMap(({ key, passed, failed }) => [
        ...(failed > 0 ? [{ value: `${key}:failed`, count: failed }] : []),
        ...(passed > 0 ? [{ value: `${key}:passed`, count: passed }] : []),
      ]);
    case 'has':
      return Object.keys(hasTexts).map((value) => ({ value }));
    case 'flaky':
      return facets.flaky
        .filter(({ value, count }) => value && count > 0)
        .map(({ value, count }) => ({ value: String(value), count }));
    case 'origin':
      return facets.origin.filter(({ count }) => count > 0);
    case 'changed':
      return facets.changed ? [{ value: 'true', ...facets.changed }] : [];
    case 'code':
    case 'latency':
    case 'cost':
      return [];
  }
}

/** The chosen values of all filters. */
export function chosenValues(facets: OfferedFacets, filters: Filters): FilterValue[] {
  return filterKinds.flatMap((kind) => {
    const { include, exclude } = filters[kind];
    return facetValues(kind, facets, filters[kind]).filter(
      ({ value }) => include.includes(value) || exclude.includes(value),
    );
  });
}
