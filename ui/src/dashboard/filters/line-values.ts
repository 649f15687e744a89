import { count as countText } from '../../components/figures/figures.js';
import { type FilterKind, type Filters, filterKinds } from '../view-state.js';
import { chosenValues, type FacetValue, facetValues, type OfferedFacets } from './facet-values.js';
import { filterText, groupNames } from './filter-text.js';

/** Approximate pixels: a letter, the padding of a pill, the gap, the padding of a group name. */
const letter = 6.4;
const frame = 26;
const gap = 6;
const groupFrame = 16;

/** With more datasets, the line has none: they are chosen in the panel. */
const maxDatasets = 12;

/** The values in the line: the chosen ones, then the most common ones that fit. */
export function lineValues(
  facets: OfferedFacets,
  filters: Filters,
  width: number,
): readonly (readonly [FilterKind, readonly FacetValue[]])[] {
  const of = (kind: FilterKind) => facetValues(kind, facets, filters[kind]);
  const shown: FacetValue[] = chosenValues(facets, filters);
  const isShown = ({ kind, value }: FacetValue) =>
    shown.some((other) => other.kind === kind && other.value === value);
  let used = shown.reduce((sum, value) => sum + widthOf(value), 0);
  const groups = new Set(shown.map(({ kind }) => kind));
  for (const kind of groups) used += groupWidth(kind);

  for (const value of wanted(of)) {
    if (isShown(value)) continue;
    const more = widthOf(value) + (groups.has(value.kind) ? 0 : groupWidth(value.kind));
    if (used + more > width) continue;
    used += more;
    groups.add(value.kind);
    shown.push(value);
  }
  return filterKinds
    .filter((kind) => groups.has(kind))
    .map((kind) => {
      // A stable order, so that a click does not move the clicked value.
      const values = of(kind).filter(isShown);
      return [kind, values] as const;
    });
}

/** The most common values: a share for each filter, then the rest. */
function wanted(of: (kind: FilterKind) => FacetValue[]): FacetValue[] {
  const [datasets, labels, statuses, scores] = [
    of('dataset'),
    of('label'),
    of('status'),
    of('score'),
  ];
  // A value that all results have is not useful as a filter.
  const some = (values: FacetValue[]) => (values.length > 1 ? values : []);
  const few = datasets.length > maxDatasets ? [] : some(datasets);
  const failed = scores.filter(({ value }) => value.endsWith(':failed'));
  return [
    ...of('changed'),
    ...few.slice(0, 5),
    ...labels.slice(0, 2),
    ...some(statuses).slice(0, 3),
    ...failed.slice(0, 1),
    ...few.slice(5),
    ...labels.slice(2),
    ...failed.slice(1),
    ...of('flaky'),
    ...of('origin'),
  ];
}

function widthOf({ kind, value, count }: FacetValue): number {
  const digits = count === undefined ? 0 : countText(count).length + 0.8;
  return Math.min(260, frame + (filterText(kind, value).length + digits) * letter) + gap;
}

function groupWidth(kind: FilterKind): number {
  return groupNames[kind].length * letter + groupFrame;
}
