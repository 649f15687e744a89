import { renderDollars } from '../../../../src/text/usage-text.js';
import type { RowFacets } from '../../api/schema.js';
import { counted, count as countText, duration, figure } from '../../components/figures/figures.js';
import type { Bucket } from '../summary/latency-axis.js';
import {
  type ChosenValues,
  type FilterKind,
  type Filters,
  filterKinds,
  standing,
} from '../view-state.js';

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

/** How a filter is shown. */
interface FilterLook {
  /** The label before its values. Default: the name of the filter. */
  readonly name?: string;
  /** A value in words. Default: as it is. */
  readonly text?: (value: string) => string;
  /** The values that can be chosen in the line and the panel. Default: none. */
  readonly offered?: (facets: OfferedFacets) => readonly Omit<FilterValue, 'kind'>[];
  /** All its values are counted: one that no result has counts 0. */
  readonly isCounted?: true;
}

const isThere = ({ count }: { readonly count: number }) => count > 0;

/** The values of `has`, and their texts. */
const hasTexts: Readonly<Record<string, string>> = {
  annotation: 'annotation',
  error: 'error',
  trace_url: 'trace link',
  messages: 'messages',
};

const statusOrder = [
  ...['failed', 'error', 'passed', 'no_verdict'],
  ...['running', 'pending', 'cancelled', 'not_started'],
];

const looks: Readonly<Record<FilterKind, FilterLook>> = {
  dataset: { offered: ({ dataset }) => dataset.filter(isThere), isCounted: true },
  label: { offered: ({ label }) => label.filter(isThere), isCounted: true },
  status: {
    text: (value) => value.replace('_', ' '),
    // `completed` is passed, failed and without a verdict together.
    offered: ({ status }) =>
      statusOrder.flatMap((one) => status.filter(({ value }) => value === one).filter(isThere)),
    isCounted: true,
  },
  score: {
    text: (value) => {
      const { key, rule } = parseScoreRule(value);
      if (rule.includes('..')) return `${key} ${rangeText(rule, figure)}`;
      return `${key} ${rule.replace('>=', '≥ ').replace('<=', '≤ ')}`;
    },
    offered: ({ score }) =>
      score
        .flatMap(({ key, passed, failed }) => [
          { value: `${key}:failed`, count: failed },
          { value: `${key}:passed`, count: passed },
        ])
        .filter(isThere),
  },
  reason: { text: reasonText },
  has: {
    text: (value) => hasTexts[value] ?? value,
    offered: () => Object.keys(hasTexts).map((value) => ({ value })),
  },
  flaky: {
    name: 'trials',
    text: (value) => (value === 'true' ? 'flaky' : 'not flaky'),
    offered: ({ flaky }) =>
      flaky
        .filter(({ value, count }) => value && count > 0)
        .map(({ count }) => ({ value: 'true', count })),
  },
  code: { text: (value) => (value === 'older' ? 'older code' : 'newest code') },
  origin: { name: 'run', offered: ({ origin }) => origin.filter(isThere), isCounted: true },
  changed: {
    name: 'code',
    text: (value) => (value === 'true' ? 'changed' : 'not changed'),
    offered: ({ changed }) => (changed ? [{ value: 'true', ...changed }] : []),
  },
  latency: { text: (value) => rangeText(value, duration) },
  cost: {
    text: (value) => {
      if (value === 'unknown') return 'not priced';
      return value === 'replayed' ? 'calls replayed' : rangeText(value, renderDollars);
    },
  },
  where: {},
  calls: { text: (value) => rangeText(value, countText) },
  tokens: { text: (value) => rangeText(value, countText) },
};

/** A reason in words: the score and its text, which may have signs in place of details. */
function reasonText(value: string): string {
  const { key, pattern } = parseReason(value);
  return key === '' ? pattern || 'error' : `${key}: ${pattern || 'no note'}`;
}

/** Splits a reason at its first `=`; in keys it is escaped. */
export function parseReason(value: string): { readonly key: string; readonly pattern: string } {
  const [, key = '', pattern = ''] = /^((?:[^\\=]|\\.)*)=(.*)$/su.exec(value) ?? [];
  return { key: key.replace(/\\(.)/gsu, '$1'), pattern };
}

/** The label before the values of a filter. */
export function filterName(kind: FilterKind): string {
  return looks[kind].name ?? kind;
}

/** A value of a filter in words: `exact failed`, `size ≥ 5`, `.5 to 2 s`. */
export function filterText(kind: FilterKind, value: string): string {
  return looks[kind].text?.(value) ?? value;
}

/** The values of a filter: the existing ones, and the chosen ones. */
export function facetValues(
  kind: FilterKind,
  facets: OfferedFacets,
  { include, exclude }: ChosenValues,
): FilterValue[] {
  const { offered, isCounted } = looks[kind];
  const known = offered?.(facets).map((value) => ({ kind, ...value })) ?? [];
  const chosen = [...include, ...exclude]
    .filter((value) => !known.some((other) => other.value === value))
    .map((value) => ({ kind, value, ...(isCounted && { count: 0 }) }));
  return [...known, ...chosen];
}

/** Splits a rule at its last colon, because keys may contain colons. */
export function parseScoreRule(value: string): { readonly key: string; readonly rule: string } {
  const colon = value.lastIndexOf(':');
  return colon === -1
    ? { key: value, rule: '' }
    : { key: value.slice(0, colon), rule: value.slice(colon + 1) };
}

/** The value of the filter by a bar of the histogram; the first one contains all latencies below the resolution. */
export function bucketRange({ from, to }: Bucket): string {
  return `${from === 0 ? '' : from}..${to}`;
}

/** `.5 s to 1 s: 12 results`. */
export function bucketText({ from, to, count }: Bucket): string {
  const range = from === 0 ? `under ${duration(to)}` : `${duration(from)} to ${duration(to)}`;
  return `${range}: ${counted(count, 'result')}`;
}

function rangeText(value: string, render: (value: number) => string): string {
  const [from = '', to = ''] = value.split('..');
  const text = (part: string) => (Number.isFinite(Number(part)) ? render(Number(part)) : part);
  if (from === '') return `under ${text(to)}`;
  return to === '' ? `from ${text(from)}` : `${text(from)} to ${text(to)}`;
}

/** Pixels: padding and border of a pill, its gaps, its icon when chosen, its maximum; the gap after it; around a group name. */
const frame = 15;
const inner = 5;
const icon = 9;
const widest = 260;
const gap = 6;
const groupFrame = 16;

/** With more datasets, the line has a menu in their place. */
export const maxDatasets = 12;

/** The values in the line: the chosen ones, then the most common ones that fit. */
export function lineValues(
  facets: OfferedFacets,
  filters: Filters,
  width: number,
  /** The width of a text in the line. */
  textWidth: (text: string) => number,
): readonly (readonly [FilterKind, readonly FilterValue[]])[] {
  const of = (kind: FilterKind) => facetValues(kind, facets, filters[kind]);
  const shown = filterKinds.flatMap((kind) =>
    of(kind).filter(({ value }) => standing(filters[kind], value) !== 'off'),
  );
  const isShown = ({ kind, value }: FilterValue) =>
    shown.some((other) => other.kind === kind && other.value === value);
  const widthOf = ({ kind, value, count }: FilterValue) => {
    const number = count === undefined ? 0 : inner + textWidth(countText(count));
    return Math.min(widest, frame + textWidth(filterText(kind, value)) + number) + gap;
  };
  const groupWidth = (kind: FilterKind) => textWidth(filterName(kind)) + groupFrame;
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
