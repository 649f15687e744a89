import { runUsageOf } from '../../model/calls/run-usage.js';
import type { Origin, ResultStatus, RowFacts } from '../../model/result.js';
import { type Standing, standingOf } from '../../model/scores/verdict.js';
import type { GroupBy, KeysOf } from '../../model/summary/row-groups.js';
import type { RowFlag } from './light-row.js';

/** Values of one kind: rows must match one of the included values, if any, and none of the excluded ones. */
export interface Choice<T> {
  readonly include: readonly T[];
  readonly exclude: readonly T[];
}

/** A condition for a score; a bound that is `null` is open. */
export type ScoreCondition =
  | { readonly key: string; readonly passed: boolean }
  | { readonly key: string; readonly atLeast: number }
  | { readonly key: string; readonly atMost: number };

/** Seconds: `from` is inclusive, `to` exclusive. */
export interface LatencyRange {
  readonly from: number;
  readonly to: number;
}

/**
 * US dollars that the run spent, as {@link LatencyRange}; `unknown`: the cost of some of its calls is not known; `replayed`:
 * some come from recordings.
 */
export type CostRange = LatencyRange | 'unknown' | 'replayed';

/** The results with a value of a field; `null` for those without one. */
export interface GroupChoice {
  readonly by: GroupBy;
  readonly key: string | null;
}

/** The results that edits of the project can have changed, as of one moment. */
export interface OutdatedRows {
  /** Unique per moment. */
  readonly version: string;
  readonly indices: ReadonlySet<number>;
  /** Files that could not be imported, whose results are not checked, or the reason why nothing is known. */
  readonly problem?: string | undefined;
}

/** The results that are out of date, or all others. */
interface ChangedChoice extends Choice<boolean> {
  /** Absent until they are found; then the filter can be applied. */
  readonly rows?: OutdatedRows;
}

/** A filter for rows. */
export interface RowFilter {
  readonly dataset: Choice<string>;
  readonly label: Choice<string>;
  readonly status: Choice<ResultStatus | Standing>;
  readonly score: Choice<ScoreCondition>;
  readonly has: Choice<RowFlag>;
  readonly flaky: Choice<boolean>;
  readonly code: Choice<CodeAge>;
  readonly origin: Choice<Origin['kind']>;
  /** Not for rows of several runs. */
  readonly changed?: ChangedChoice;
  readonly latency: Choice<LatencyRange>;
  readonly cost: Choice<CostRange>;
  readonly group: Choice<GroupChoice>;
  /** A substring, ignoring case; empty for all rows. */
  readonly search: string;
}

/** The age of the code that graded a result: the newest version of its eval file, or an older one. */
export const codeAges = ['newest', 'older'] as const;
type CodeAge = (typeof codeAges)[number];

/** The bit of each kind of filter. */
export const kindBits = {
  dataset: 1,
  label: 2,
  status: 4,
  score: 8,
  flaky: 16,
  latency: 32,
  has: 64,
  search: 128,
  code: 256,
  cost: 512,
  group: 1024,
  origin: 2048,
  changed: 4096,
} as const;
type FilterKind = keyof typeof kindBits;

/** For each row, the bits of the kinds that exclude it; 0 for a match. */
export type Misses = Uint16Array;

/** Facts about rows that are not in `RowFacts`. */
export interface RowKnowledge {
  /** True for a trial of a flaky case. */
  readonly isFlaky: (row: RowFacts) => boolean;
  /** True for a row graded by older code. */
  readonly isOlder: (row: RowFacts) => boolean;
  /** True for a row with a flag; required if the filter selects by flags. */
  readonly hasFlag?: (index: number, flag: RowFlag) => boolean;
  /** The groups of a row; required if the filter selects groups. */
  readonly keysBy?: (by: GroupBy) => KeysOf;
  /** True for a row that contains the text; required if the filter has one. */
  readonly isFound?: (index: number) => boolean;
}

/** Applies every kind of a filter to rows. */
export function missesOf(
  rows: readonly RowFacts[],
  filter: RowFilter,
  knowledge: RowKnowledge,
): Misses {
  const misses = new Uint16Array(rows.length);
  for (const [kind, matches] of matchers(filter, knowledge)) {
    const bit = kindBits[kind];
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index];
      if (row !== undefined && !matches(row, index)) misses[index] = (misses[index] ?? 0) | bit;
    }
  }
  return misses;
}

/** Kinds of filters that select by what was planned. */
const plannedKinds: ReadonlySet<keyof RowFilter> = new Set(['dataset', 'label', 'group']);

/**
 * True for a filter that selects by what came of results; rates of what it selects say nothing. `isPlanned` tells of the
 * values that groups are of.
 */
export function isByOutcome(filter: RowFilter, isPlanned: (by: GroupBy) => boolean): boolean {
  const { search, ...choices } = filter;
  const isSet = ({ include, exclude }: Choice<unknown>) => include.length + exclude.length > 0;
  const kinds = Object.keys(choices) as (keyof typeof choices)[];
  if (search !== '') return true;
  if (kinds.some((kind) => !plannedKinds.has(kind) && isSet(choices[kind] ?? none))) return true;
  return [...filter.group.include, ...filter.group.exclude].some(({ by }) => !isPlanned(by));
}

const none: Choice<unknown> = { include: [], exclude: [] };

type Matcher = (row: RowFacts, index: number) => boolean;

/** One matcher for each kind that is set. */
function matchers(filter: RowFilter, knowledge: RowKnowledge): Map<FilterKind, Matcher> {
  const found = new Map<FilterKind, Matcher>();
  const add = <T>(
    kind: FilterKind,
    { include, exclude }: Choice<T>,
    test: (row: RowFacts, value: T, index: number) => boolean,
  ) => {
    if (include.length + exclude.length === 0) return;
    found.set(
      kind,
      (row, index) =>
        !exclude.some((value) => test(row, value, index)) &&
        (include.length === 0 || include.some((value) => test(row, value, index))),
    );
  };
  add('dataset', filter.dataset, (row, dataset) => row.dataset === dataset);
  add('label', filter.label, (row, label) => row.labels.includes(label));
  add(
    'status',
    filter.status,
    (row, status) => standingOf(row) === status || (row.status === status && row.pruned !== true),
  );
  add('score', filter.score, meetsRule);
  add('flaky', filter.flaky, (row, flaky) => knowledge.isFlaky(row) === flaky);
  add('code', filter.code, (row, age) => {
    if (row.code === undefined || row.pruned === true) return false;
    return knowledge.isOlder(row) === (age === 'older');
  });
  add('origin', filter.origin, ({ origin }, kind) => origin?.kind === kind);
  const { changed } = filter;
  if (changed !== undefined) {
    const isChanged = (index: number) => changed.rows?.indices.has(index) === true;
    add('changed', changed, (_, wanted, index) => isChanged(index) === wanted);
  }
  add(
    'latency',
    filter.latency,
    ({ latency }, { from, to }) => latency !== null && latency >= from && latency < to,
  );
  add('cost', filter.cost, (row, range) => {
    const usage = runUsageOf(row);
    if (usage === undefined) return false;
    if (range === 'unknown') return usage.cost === null || (usage.unpriced ?? 0) > 0;
    if (range === 'replayed') return (usage.replayed ?? 0) > 0;
    if (usage.cost === null || usage.cost < range.from) return false;
    // A lower bound says nothing of what the cost is below.
    return usage.cost < range.to && (range.to === Number.MAX_VALUE || !usage.unpriced);
  });
  add('group', filter.group, (row, { by, key }, index) =>
    (knowledge.keysBy?.(by)(row, index) ?? []).includes(key),
  );
  add('has', filter.has, (_, flag, index) => knowledge.hasFlag?.(index, flag) === true);
  if (filter.search !== '') found.set('search', (_, index) => knowledge.isFound?.(index) === true);
  return found;
}

function meetsRule(row: RowFacts, rule: ScoreCondition): boolean {
  return row.scores.some((score) => {
    if (score.key !== rule.key) return false;
    if ('passed' in rule) return score.passed === rule.passed;
    if (score.value === undefined) return false;
    return 'atLeast' in rule ? score.value >= rule.atLeast : score.value <= rule.atMost;
  });
}
