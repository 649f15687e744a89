import { tokensOf } from '../calls/known-usage.js';
import type { besideParts, RunUsage } from '../calls/run-usage.js';
import { fileOf, type RowFacts } from '../result.js';
import {
  parseResultField,
  type ResultField,
  resultFieldForms,
  resultFieldText,
} from '../result-field.js';
import type { ScoreChip } from '../scores/score.js';
import { newestOnly } from './counts-only.js';
import type { PassRate } from './pass-rate.js';
import { type LatencyFigures, latencyFigures, sortedLatencies } from './run-figures.js';
import type { ScoreScales } from './score-values.js';
import { summarise } from './summary.js';

const groupFields = ['dataset', 'label', 'evaluation', 'file'] as const;

/** The key of groups: a field that all results have, or a value in them. */
export type GroupBy = (typeof groupFields)[number] | ResultField;

/** The forms of {@link parseGroupBy}, for errors and help. */
export const groupForms = `${groupFields.join(', ')}, ${resultFieldForms}`;

/** Reads `dataset`, `label`, `evaluation`, `file` or a field such as `metadata.tier`; `undefined` for anything else. */
export function parseGroupBy(text: string): GroupBy | undefined {
  return groupFields.find((field) => field === text) ?? parseResultField(text);
}

/** The text that {@link parseGroupBy} reads. */
export function groupByText(by: GroupBy): string {
  return typeof by === 'string' ? by : resultFieldText(by);
}

/**
 * True for a value that was there before anything ran, unless it is metadata, which results may set. A choice of results by
 * any other value is one by what came of them, and then no rate of them says how often something happens.
 */
export function isPlannedValue(by: GroupBy): boolean {
  return typeof by === 'string' || by.of !== 'output';
}

/** The groups that a row belongs to: one for each label, and `null` for none. */
export type KeysOf = (row: RowFacts, index: number) => readonly (string | null)[];

/** Finds the groups of rows; `textOf` gives the {@link fieldText} of a row, and is asked for fields only. */
export function keysBy(by: GroupBy, textOf: (index: number) => string | null): KeysOf {
  if (typeof by === 'object') return (_, index) => [textOf(index)];
  if (by === 'file') return (row) => [fileOf(row)];
  if (by === 'label') return ({ labels }) => (labels.length === 0 ? [null] : labels);
  return (row) => [row[by]];
}

/** The rows of each group, in order of their first row; a row with several labels is in several groups. */
export function rowsByKey(
  rows: readonly RowFacts[],
  indices: Iterable<number>,
  keysOf: KeysOf,
): Map<string | null, RowFacts[]> {
  const groups = new Map<string | null, RowFacts[]>();
  for (const index of indices) {
    const row = rows[index];
    if (row === undefined) continue;
    for (const key of keysOf(row, index)) {
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [row]);
      else known.push(row);
    }
  }
  return groups;
}

/** The figures of the results that share a dataset, a label, an evaluation, a file or a value. */
export interface RowGroup {
  /** The shared value; `null` for results without it. */
  readonly key: string | null;
  /** The next five and `unfinished` add up to it. */
  readonly results: number;
  readonly passed: number;
  readonly failed: number;
  readonly errors: number;
  /** Completed, without a score that passed or failed. */
  readonly no_verdict: number;
  /** Results whose evaluation no longer exists; not counted elsewhere. */
  readonly pruned: number;
  /** Not started, pending, running or cancelled. */
  readonly unfinished: number;
  /** Cases with trials that passed and trials that did not; absent without trials. */
  readonly flaky?: number;
  /** `null` if nothing has a verdict or is an error, and with `counts_only`. */
  readonly pass_rate: PassRate | null;
  /** Only when true: what came of results decided which are in the group, so that no rate of it says anything. */
  readonly counts_only?: true;
  readonly chips: readonly ScoreChip[];
  readonly latency: LatencyFigures;
  /** What the run spent on their calls, and what they took over; absent without calls. */
  readonly usage?: RunUsage;
}

/** The figures of a group; `scales` and `beside` are those of the whole run. `countsOnly`: without its rate. */
export function rowGroup(
  key: string | null,
  rows: readonly RowFacts[],
  {
    scales,
    countsOnly,
    beside,
  }: {
    readonly scales: ScoreScales;
    readonly countsOnly: boolean;
    readonly beside: ReturnType<typeof besideParts>;
  },
): RowGroup {
  const { totals, verdicts, unfinished, pass_rate, score_chips, trial_fields, usage } = summarise(
    countsOnly ? newestOnly(rows) : rows,
    scales,
    { unlisted: beside(rows) },
  );
  const { total_evaluations: results, total_pruned: pruned = 0 } = totals;
  return {
    key,
    results,
    passed: verdicts.passed,
    failed: verdicts.failed,
    errors: verdicts.errors,
    no_verdict: verdicts.none,
    pruned,
    unfinished,
    ...(trial_fields && { flaky: trial_fields.trial_statistics.flaky }),
    pass_rate: countsOnly ? null : pass_rate,
    ...(countsOnly && { counts_only: true }),
    chips: score_chips,
    latency: latencyFigures(sortedLatencies(rows)),
    ...(usage && { usage }),
  };
}

export const groupSorts = [
  'passed',
  'results',
  'key',
  'latency',
  'calls',
  'tokens',
  'cost',
] as const;

/** Sort key of groups: `passed` is the pass rate, `latency` the p50; or the share or mean of a score. */
export interface GroupOrder {
  readonly by: (typeof groupSorts)[number] | { readonly score: string };
  readonly descending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true });

/**
 * Sorts groups. Groups without the value come last in both directions, and the group without a key after them; equal
 * ones are sorted by their number of results, the largest first, then by key.
 */
export function sortGroups<Group extends RowGroup>(
  groups: readonly Group[],
  order: GroupOrder,
): Group[] {
  const { by, descending } = order;
  const direction = descending ? -1 : 1;
  const compareKeys = (a: RowGroup, b: RowGroup) => collator.compare(a.key ?? '', b.key ?? '');
  const compareFigures = (a: RowGroup, b: RowGroup) => {
    if (by === 'key') return direction * compareKeys(a, b);
    const [first, second] = [figureOf(a, by), figureOf(b, by)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    return direction * (first - second);
  };
  return [...groups].sort(
    (a, b) =>
      Number(a.key === null) - Number(b.key === null) ||
      compareFigures(a, b) ||
      b.results - a.results ||
      compareKeys(a, b),
  );
}

function figureOf(group: RowGroup, by: Exclude<GroupOrder['by'], 'key'>): number | null {
  if (by === 'passed') return group.pass_rate?.estimate ?? null;
  if (by === 'results') return group.results;
  if (by === 'latency') return group.latency.p50;
  if (by === 'calls') return group.usage?.calls ?? null;
  if (by === 'cost') return group.usage?.cost ?? null;
  if (by === 'tokens') return (group.usage && tokensOf(group.usage)) ?? null;
  const chip = group.chips.find(({ key }) => key === by.score);
  if (chip === undefined) return null;
  return chip.type === 'avg' ? chip.avg : chip.passed / chip.total;
}
