import type { Change } from '../../../src/compare/cases/change.js';
import {
  type ChosenValues,
  defaultView,
  type Filters,
  filterKinds,
  isChosen,
  noChoice,
  parseView,
  renderRowQuery,
} from '../dashboard/view-state.js';

/** Maximum number of runs in a comparison. */
export const maxRuns = 4;

/** The state of the comparison that is kept in the URL. */
export interface CompareView {
  /** Ids, the base first; no run twice. */
  readonly runs: readonly string[];
  readonly search: string;
  /** `regressed`, or `regressed:2` in one of the runs, by its position. */
  readonly changes: ChosenValues;
  /** By what measures changed by, as in the API: `score:exact:lower`, `latency:>=0.5`. */
  readonly differences: ChosenValues;
  readonly filters: Filters;
  /** As in the API. */
  readonly sort: string;
  readonly descending: boolean;
  /** True when outputs are shown as differences from the base. */
  readonly hasDiff: boolean;
}

/** The default order: regressed pairs first. */
export const defaultSort = 'change';

/** Parses a query string; ignores invalid parameters. */
export function parseCompareView(search: string): CompareView {
  const params = new URLSearchParams(search);
  const runs = [...new Set(params.getAll('run'))].filter(Boolean).slice(0, maxRuns);
  const { search: text, filters, descending } = parseView(search);
  return {
    runs,
    search: text,
    changes: parseChanges(params.getAll('change'), runs.length),
    differences: parseDifferences(params.getAll('difference')),
    // The API has this filter for the rows of one run alone.
    filters: { ...filters, changed: noChoice },
    sort: params.get('sort') || defaultSort,
    descending,
    hasDiff: params.get('diff') !== 'off',
  };
}

/** Renders a view as a query string, with `?` unless it is empty. */
export function renderCompareView(view: CompareView): string {
  const params = filterParams(view);
  if (view.sort !== defaultSort) params.append('sort', view.sort);
  if (view.descending) params.append('order', 'desc');
  if (!view.hasDiff) params.append('diff', 'off');
  return params.size === 0 ? '' : `?${params}`;
}

/** The view as a query of the API for pairs, without offset and limit. */
export function renderPairQuery(view: CompareView): string {
  const params = filterParams(view);
  params.append('sort', view.sort);
  if (view.descending) params.append('order', 'desc');
  return String(params);
}

/** True when any filter is set. */
export function isFilteredComparison(view: CompareView): boolean {
  const { search, changes, differences, filters } = view;
  const choices = [changes, differences, ...filterKinds.map((kind) => filters[kind])];
  return search !== '' || choices.some(isChosen);
}

/** A view without filters and search; runs and order stay. */
export function withoutCompareFilters(view: CompareView): CompareView {
  return {
    ...view,
    search: '',
    changes: noChoice,
    differences: noChoice,
    filters: defaultView.filters,
  };
}

/** A view with other runs. Filters by changes in a removed run are removed too. */
export function withRuns(view: CompareView, runs: readonly string[]): CompareView {
  const move = (rules: readonly string[]) =>
    rules.flatMap((rule) => {
      const [change, position] = splitRule(rule);
      if (position === undefined) return [rule];
      const to = runs.indexOf(view.runs[position] ?? '');
      return to > 0 ? [`${change}:${to}`] : [];
    });
  const { include, exclude } = view.changes;
  return { ...view, runs, changes: { include: move(include), exclude: move(exclude) } };
}

/** Moves a run to another position. */
export function moveRun(runs: readonly string[], from: number, to: number): readonly string[] {
  const run = runs[from];
  if (run === undefined) return runs;
  const rest = runs.filter((_, n) => n !== from);
  return [...rest.slice(0, to), run, ...rest.slice(to)];
}

/** True when the filter selects a change in the run at a position. */
export function hasCell({ include }: ChosenValues, change: Change, position: number): boolean {
  return include.includes(change) || include.includes(`${change}:${position}`);
}

/** Toggles the filter by changes in the run at a position. `runs`: the number of runs, including the base. */
export function toggleCell(
  choice: ChosenValues,
  changes: readonly Change[],
  position: number,
  runs: number,
): ChosenValues {
  const isIn = changes.every((change) => hasCell(choice, change, position));
  const others = Array.from({ length: runs - 1 }, (_, n) => n + 1);
  return changes.reduce(({ include, exclude }, change) => {
    const kept = others.filter((other) => hasCell({ include, exclude }, change, other));
    const wanted = isIn
      ? kept.filter((other) => other !== position)
      : others.filter((other) => other === position || kept.includes(other));
    const rules =
      wanted.length === others.length ? [change] : wanted.map((other) => `${change}:${other}`);
    return { include: [...without(include, change), ...rules], exclude: without(exclude, change) };
  }, choice);
}

/** True if changes are included or excluded, in any run. */
export function changeStanding(
  { include, exclude }: ChosenValues,
  changes: readonly Change[],
): 'in' | 'out' | 'off' {
  const has = (rules: readonly string[]) =>
    changes.every((change) => rules.some((rule) => splitRule(rule)[0] === change));
  return has(include) ? 'in' : has(exclude) ? 'out' : 'off';
}

/** The next choice after a click on the pill of changes: include, exclude, off. */
export function cycleChanges(choice: ChosenValues, changes: readonly Change[]): ChosenValues {
  const standing = changeStanding(choice, changes);
  const clear = (rules: readonly string[]) =>
    changes.reduce<readonly string[]>((left, change) => without(left, change), rules);
  const include = clear(choice.include);
  const exclude = clear(choice.exclude);
  if (standing === 'off') return { include: [...include, ...changes], exclude };
  return { include, exclude: standing === 'in' ? [...exclude, ...changes] : exclude };
}

/** The measure and the rule of a filter by differences: `score:exact` and `lower`. */
export function splitDifference(rule: string): readonly [measure: string, is: string] {
  const at = rule.lastIndexOf(':');
  return [rule.slice(0, at), rule.slice(at + 1)];
}

const directions = ['other', 'lower', 'higher'] as const;

/** The next choice after a click on a measure: any difference, lower, higher, off. */
export function cycleDifference(choice: ChosenValues, measure: string): ChosenValues {
  const at = directions.findIndex((is) => choice.include.includes(`${measure}:${is}`));
  const next = directions[at + 1];
  const { include, exclude } = keep(choice, (rule) => splitDifference(rule)[0] !== measure);
  return { include: next ? [...include, `${measure}:${next}`] : include, exclude };
}

/** The choice without a rule. */
export function withoutDifference(choice: ChosenValues, rule: string): ChosenValues {
  return keep(choice, (one) => one !== rule);
}

function keep({ include, exclude }: ChosenValues, isKept: (rule: string) => boolean): ChosenValues {
  return { include: include.filter(isKept), exclude: exclude.filter(isKept) };
}

function parseDifferences(texts: readonly string[]): ChosenValues {
  const known =
    /^!?(?:passed|latency|cost|tokens|calls|score:.+):(?:lower|higher|other|[<>]=[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/isu;
  return chosenOf([...new Set(texts)].filter((text) => known.test(text)));
}

function without(rules: readonly string[], change: Change): readonly string[] {
  return rules.filter((rule) => splitRule(rule)[0] !== change);
}

function splitRule(rule: string): readonly [string, number | undefined] {
  const [change = '', position] = rule.split(':');
  return [change, position === undefined ? undefined : Number(position)];
}

function parseChanges(texts: readonly string[], runs: number): ChosenValues {
  const known = /^!?(?:regressed|fixed|changed|same|only_base|only_other|not_paired)(?::([1-3]))?$/;
  const rules = [...new Set(texts)].filter((text) => {
    const found = known.exec(text);
    return found !== null && Number(found[1] ?? 0) < Math.max(runs, 1);
  });
  return chosenOf(rules);
}

/** Rules as they are in the address: with `!` before those that exclude. */
function chosenOf(rules: readonly string[]): ChosenValues {
  return {
    include: rules.filter((rule) => !rule.startsWith('!')),
    exclude: rules.filter((rule) => rule.startsWith('!')).map((rule) => rule.slice(1)),
  };
}

function filterParams(view: CompareView): URLSearchParams {
  const { runs, search, changes, differences, filters } = view;
  const rows = renderRowQuery({ ...defaultView, search, filters, fold: false });
  const named = (name: string, { include, exclude }: ChosenValues) =>
    [...include, ...exclude.map((rule) => `!${rule}`)].map((rule): [string, string] => [
      name,
      rule,
    ]);
  const pairs: [string, string][] = [
    ...runs.map((run): [string, string] => ['run', run]),
    ...named('change', changes),
    ...named('difference', differences),
    ...new URLSearchParams(rows),
  ];
  return new URLSearchParams(pairs);
}
