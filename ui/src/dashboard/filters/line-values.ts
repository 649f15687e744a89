import { count as countText } from '../../components/figures/figures.js';
import { type FilterKind, type Filters, filterKinds } from '../view-state.js';
import { chosenValues, type FilterValue, facetValues, type OfferedFacets } from './facet-values.js';
import { filterText, groupNames } from './filter-text.js';

/** Pixels: padding and border of a pill, its gaps, its icon when chosen, its maximum; the gap after it; around a group name. */
const frame = 15;
const inner = 5;
const icon = 9;
const widest = 260;
const gap = 6;
const groupFrame = 16;

/** With more datasets, the line has none: they are chosen in the panel. */
const maxDatasets = 12;

/** The values in the line: the chosen ones, then the most common ones that fit. */
export function lineValues(
  facets: OfferedFacets,
  filters: Filters,
  width: number,
  /** The width of a text in the line. */
  textWidth: (text: string) => number,
): readonly (readonly [FilterKind, readonly FilterValue[]])[] {
  const of = (kind: FilterKind) => facetValues(kind, facets, filters[kind]);
  const shown: FilterValue[] = chosenValues(facets, filters);
  const isShown = ({ kind, value }: FilterValue) =>
    shown.some((other) => other.kind === kind && other.value === value);
  const widthOf = ({ kind, value, count }: FilterValue) => {
    const number = count === undefined ? 0 : inner + textWidth(countText(count));
    return Math.min(widest, frame + textWidth(filterText(kind, value)) + number) + gap;
  };
  const groupWidth = (kind: FilterKind) => textWidth(groupNames[kind]) + groupFrame;
  let used = shown.reduce((sum, value) => sum + widthOf(value) + icon + inner, 0);
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
function wanted(of: (kind: FilterKind) => FilterValue[]): FilterValue[] {
  const [datasets, labels] = [common(of('dataset')), common(of('label'))];
  const [statuses, scores] = [of('status'), common(of('score'))];
  // A value that all results have is not useful as a filter.
  const some = (values: FilterValue[]) => (values.length > 1 ? values : []);
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

/** Values by the number of their results. */
function common(values: readonly FilterValue[]): FilterValue[] {
  return values.toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0));
}
