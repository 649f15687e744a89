import { isFigureColumn } from './table/columns/columns.js';

/** The included and excluded values of one kind of filter. */
export interface ChosenValues {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** Kinds of filters; each may repeat in the URL, and exclude with `!` before the value. */
export const filterKinds = [
  'dataset',
  'label',
  'status',
  'score',
  'reason',
  'has',
  'flaky',
  'code',
  'origin',
  'changed',
  'latency',
  'cost',
  'where',
  'calls',
  'tokens',
] as const;
export type FilterKind = (typeof filterKinds)[number];

export type Filters = Readonly<Record<FilterKind, ChosenValues>>;

/** A view of a page with filters. */
interface Filtered {
  readonly filters: Filters;
}

/** The state of the dashboard that is kept in the URL. */
export interface View {
  /** `latest`: the active run; absent: the one to start with. */
  readonly run: string | undefined;
  /** Name of the saved view that this one comes from. */
  readonly saved: string | undefined;
  /** The saved view is still to be opened: the address names nothing else. */
  readonly isToOpen: boolean;
  readonly search: string;
  readonly filters: Filters;
  /** `index`, `function`, `dataset`, `status`, `latency`, `calls`, `tokens`, `cost` or `score:KEY`. */
  readonly sort: string;
  readonly descending: boolean;
  /** One row for all trials of an evaluation. */
  readonly fold: boolean;
  /** `dataset`, `label`, `evaluation`, `file` or a field such as `metadata.tier`; absent: no groups. */
  readonly by: string | undefined;
  readonly folds: Folds;
  /** The table of results, or why they failed. */
  readonly tab: 'results' | 'reasons';
  /** The figures of the chart, `latency`, `cost`, `calls`, `tokens` or `score:KEY`; without `x` there is none, without `y` it is a histogram. */
  readonly chart: { readonly x: string | undefined; readonly y: string | undefined };
}

const noChart = { x: undefined, y: undefined };

/** The folded groups, by key; `null` is the group without a key. */
export interface Folds {
  /** All groups are folded but these; `false`: all are open but these; `undefined`: their number decides. */
  readonly isFolded: boolean | undefined;
  readonly except: readonly (string | null)[];
}

/** Few groups are open, many are folded, so that all are in sight. */
export const usualFolds: Folds = { isFolded: undefined, except: [] };
/** Most groups that are open unless somebody folds them. */
const mostOpen = 8;
/** No group is folded. */
export const allOpen: Folds = { isFolded: false, except: [] };
/** Every group is folded. */
export const allFolded: Folds = { isFolded: true, except: [] };

/** Nothing chosen of a kind. */
export const noChoice: ChosenValues = { include: [], exclude: [] };

const noFilters = Object.fromEntries(filterKinds.map((kind) => [kind, noChoice])) as Filters;

/** The view of a URL without parameters. */
export const defaultView: View = {
  run: undefined,
  saved: undefined,
  isToOpen: false,
  search: '',
  filters: noFilters,
  sort: 'index',
  descending: false,
  fold: true,
  by: undefined,
  folds: usualFolds,
  tab: 'results',
  chart: noChart,
};

/** The address of the active run, which may not have started. */
export const freshRunAddress = `/${renderView({ ...defaultView, run: 'latest' })}`;

/** Parses a query string; ignores invalid parameters. */
export function parseView(search: string): View {
  const params = new URLSearchParams(search);
  const run = params.get('run');
  const filters = Object.fromEntries(
    filterKinds.map((kind) => [kind, parseChoice(params.getAll(kind))]),
  ) as Filters;
  const saved = params.get('view') || undefined;
  return {
    run: run || undefined,
    saved,
    isToOpen: saved !== undefined && [...params.keys()].every((name) => isPlace(name)),
    search: params.get('search') ?? '',
    filters,
    sort: params.get('sort') || defaultView.sort,
    descending: params.get('order') === 'desc',
    fold: params.get('fold') !== 'none',
    by: params.get('by') || undefined,
    folds: parseFolds(params),
    tab: params.get('tab') === 'reasons' ? 'reasons' : 'results',
    chart: { x: params.get('x') || undefined, y: params.get('y') || undefined },
  };
}

/** Renders a view as a query string, with `?` unless it is empty. */
export function renderView(view: View): string {
  let params = filterParams(view);
  if (!view.fold) params.append('fold', 'none');
  if (view.by !== undefined) {
    for (const [name, value] of foldParams(view.folds)) params.append(name, value);
  }
  if (view.tab !== defaultView.tab) params.append('tab', view.tab);
  for (const axis of ['x', 'y'] as const) {
    const figure = view.chart[axis];
    if (view.chart.x !== undefined && figure !== undefined) params.append(axis, figure);
  }
  if (view.saved !== undefined) {
    // Without filters, the address must not open the saved view again.
    if (params.size === 0 && !view.isToOpen) params.append('sort', view.sort);
    params = withFirst('view', view.saved, params);
  }
  const text = String(view.run === undefined ? params : withFirst('run', view.run, params));
  return text === '' ? '' : `?${text}`;
}

/** The view as a query of the API for rows, without offset and limit. */
export function renderRowQuery(view: View): string {
  const params = filterParams(view);
  if (view.fold) params.append('fold', 'trials');
  // Within groups, what failed comes first.
  if (view.by !== undefined && view.sort === defaultView.sort) params.append('sort', 'status');
  return String(params);
}

/** The filters of a view as a query of the API, without its choice of some kinds. */
export function renderFilterQuery(view: View, without: readonly FilterKind[]): string {
  const left = without.reduce((rest, kind) => withChoice(rest, kind, noChoice), view);
  const { sort, descending, by } = defaultView;
  return String(filterParams({ ...left, sort, descending, by }));
}

/** The results that failed for a reason, in the table. */
export function withReason(view: View, reason: string): View {
  return { ...withChoice(view, 'reason', { include: [reason], exclude: [] }), tab: 'results' };
}

/** State of a filter value: included (`in`), excluded (`out`) or neither. */
export function standing(choice: ChosenValues, value: string): 'in' | 'out' | 'off' {
  if (choice.include.includes(value)) return 'in';
  return choice.exclude.includes(value) ? 'out' : 'off';
}

/** Includes or excludes a value, or clears it. */
export function place(choice: ChosenValues, value: string, to: 'in' | 'out' | 'off'): ChosenValues {
  const include = choice.include.filter((other) => other !== value);
  const exclude = choice.exclude.filter((other) => other !== value);
  if (to === 'in') include.push(value);
  if (to === 'out') exclude.push(value);
  return { include, exclude };
}

/** The next choice after a click on a pill: include, exclude, off. */
export function cycle(choice: ChosenValues, value: string): ChosenValues {
  const next = { off: 'in', in: 'out', out: 'off' } as const;
  return place(choice, value, next[standing(choice, value)]);
}

/** Includes one value alone; clears the choice if that is how it is. */
export function toggleOnly(choice: ChosenValues, value: string): ChosenValues {
  const isOnly =
    choice.include.length === 1 && choice.include[0] === value && choice.exclude.length === 0;
  return isOnly ? noChoice : { include: [value], exclude: [] };
}

/** A view with another choice of one kind. */
export function withChoice<V extends Filtered>(view: V, kind: FilterKind, choice: ChosenValues): V {
  return { ...view, filters: { ...view.filters, [kind]: choice } };
}

/**
 * A view with a condition, `metadata.tier=pro`, in place of others that ask for another value of the same field: all
 * conditions must hold.
 */
export function withCondition<V extends Filtered>(view: V, condition: string): V {
  const field = fieldOfEquality(condition);
  const { include, exclude } = view.filters.where;
  const others = include.filter(
    (one) => one !== condition && (field === undefined || fieldOfEquality(one) !== field),
  );
  return withChoice(view, 'where', {
    include: [...others, condition],
    exclude: exclude.filter((one) => one !== condition),
  });
}

function fieldOfEquality(condition: string): string | undefined {
  return /^((?:[^"=~<>!]|"(?:[^"\\]|\\.)*")+)=/.exec(condition)?.[1];
}

/** A view without filters and search; run, order and folding stay. */
export function withoutFilters(view: View): View {
  return { ...view, search: '', filters: noFilters };
}

/** True if any filter is set. */
export function isFiltered({ search, filters }: View): boolean {
  return search !== '' || filterKinds.some((kind) => isChosen(filters[kind]));
}

/** True if a filter of this kind is set. */
export function isChosen({ include, exclude }: ChosenValues): boolean {
  return include.length + exclude.length > 0;
}

function filterParams({ search, filters, sort, descending, by }: View): URLSearchParams {
  const params = new URLSearchParams();
  if (search !== '') params.append('search', search);
  for (const kind of filterKinds) appendChoice(params, kind, filters[kind]);
  if (sort !== defaultView.sort) params.append('sort', sort);
  if (descending) params.append('order', 'desc');
  if (by !== undefined) params.append('by', by);
  return params;
}

/** Parameters that say where a view is, not what it shows. */
function isPlace(name: string): boolean {
  return name === 'run' || name === 'view';
}

function withFirst(name: string, value: string, params: URLSearchParams): URLSearchParams {
  return new URLSearchParams([[name, value], ...params]);
}

/** Adds the values of a filter to a query. */
export function appendChoice(
  params: URLSearchParams,
  name: string,
  { include, exclude }: ChosenValues,
): void {
  for (const value of include) params.append(name, escapeValue(value));
  for (const value of exclude) params.append(name, `!${escapeValue(value)}`);
}

/** Reads what {@link appendChoice} writes. */
export function parseChoice(texts: readonly string[]): ChosenValues {
  const choice = { include: [] as string[], exclude: [] as string[] };
  for (const text of texts) {
    const isExcluded = text.startsWith('!');
    const rest = isExcluded ? text.slice(1) : text;
    const list = isExcluded ? choice.exclude : choice.include;
    const value = rest.startsWith('\\') ? rest.slice(1) : rest;
    if (!list.includes(value)) list.push(value);
  }
  return choice;
}

/** A first `!` means exclusion, and a first `\` makes what follows a part of the value. */
function escapeValue(value: string): string {
  return /^[!\\]/.test(value) ? `\\${value}` : value;
}

/** Whether a group of so many is folded. */
export function isFolded({ isFolded, except }: Folds, key: string | null, groups: number): boolean {
  return except.includes(key) !== (isFolded ?? groups > mostOpen);
}

/** Folds a group, or opens it. */
export function toggleFold(folds: Folds, key: string | null): Folds {
  const { except } = folds;
  const others = except.filter((other) => other !== key);
  return { ...folds, except: others.length < except.length ? others : [...except, key] };
}

/** The parameters of a URL: `groups=folded` and `open=KEY`, `groups=open` and `folded=KEY`, or `toggled=KEY`. */
function foldParams({ isFolded, except }: Folds): [string, string][] {
  const keys = except.map((key): [string, string] => [
    isFolded === undefined ? 'toggled' : isFolded ? 'open' : 'folded',
    // A first `\` is doubled; alone, it stands for the group without a key.
    key === null ? '\\' : key.replace(/^\\/, '\\\\'),
  ]);
  return isFolded === undefined ? keys : [['groups', isFolded ? 'folded' : 'open'], ...keys];
}

/** Reads what {@link foldParams} writes. */
function parseFolds(params: URLSearchParams): Folds {
  const groups = params.get('groups');
  const isOpen = groups === 'open' || params.has('folded');
  const isFolded = groups === 'folded' ? true : isOpen ? false : undefined;
  const keys = params.getAll(isFolded === undefined ? 'toggled' : isFolded ? 'open' : 'folded');
  return {
    isFolded,
    except: keys.map((key) => (key === '\\' ? null : key.replace(/^\\\\/, '\\'))),
  };
}

/** Cycles the sort order of a column: first direction, other direction, order of the run. */
export function sortBy(view: View, sort: string): View {
  const first = isFigureColumn(sort);
  if (isDefault(view, sort)) return { ...view, sort, descending: true };
  if (view.sort !== sort) return { ...view, sort, descending: first };
  if (view.descending === first) return { ...view, descending: !first };
  return { ...view, sort: defaultView.sort, descending: false };
}

/** The sort direction of a column, for `aria-sort`; `undefined` if it is not sorted. */
export function sortOf(
  view: View,
  sorts: readonly string[],
): 'ascending' | 'descending' | undefined {
  if (sorts.some((sort) => isDefault(view, sort))) return 'ascending';
  if (!sorts.includes(view.sort)) return undefined;
  return view.descending ? 'descending' : 'ascending';
}

/** Groups are sorted by their pass rate unless another order is chosen. */
function isDefault({ by, sort: sorted, descending }: View, sort: string): boolean {
  return by !== undefined && sort === 'status' && sorted === defaultView.sort && !descending;
}
