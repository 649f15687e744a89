import {
  caseIdOf,
  fileOf,
  hasVerdict,
  isUnfinished,
  passes,
  type RowFacts,
} from '../../model/result.js';
import { isCalled } from '../../model/selection/named.js';
import { type CaseDraw, drawCases } from '../../model/selection/sample.js';

export const rowKinds = ['failed', 'errors', 'flaky', 'unfinished'] as const;
type RowKind = (typeof rowKinds)[number];

/** Selects rows of a saved run. A row must match each filter that is set; of the values of one filter, any will do. */
export interface SavedRowFilter {
  readonly only: readonly RowKind[];
  readonly datasets: readonly string[];
  readonly labels: readonly string[];
  /** Files, folders, names as results are called, or `file::name` as in ids; empty means all. */
  readonly paths: readonly string[];
  /** Rows that count as unfinished whatever their state. */
  readonly refused?: readonly number[];
  /** Indices of the rows that may be chosen. Default: all. */
  readonly among?: ReadonlySet<number>;
  /** Of what matches everything else. Default: all cases. */
  readonly sample?: CaseDraw;
  /** Maximum number of cases; trials do not count. */
  readonly limit?: number;
}

/** The indices of the rows that match a filter, in order. */
export function filterRows(rows: readonly RowFacts[], filter: SavedRowFilter): number[] {
  const flaky = filter.only.includes('flaky') ? flakyEvaluations(rows) : new Set<string>();
  const failed = filter.only.includes('failed') ? failedEvaluations(rows) : new Set<string>();
  const refused = new Set(filter.refused);
  const isAt = placeTest(filter.paths);
  const chosen: number[] = [];
  for (const [index, row] of rows.entries()) {
    if (filter.among?.has(index) === false || !isAt(row)) continue;
    if (isMeant(row, filter, { flaky, failed, isRefused: refused.has(index) })) chosen.push(index);
  }
  return ofCases(rows, chosen, filter);
}

/** Of chosen rows, those of the drawn cases, and of these those of the first ones. */
function ofCases(
  rows: readonly RowFacts[],
  chosen: number[],
  { sample, limit }: SavedRowFilter,
): number[] {
  if (sample === undefined && limit === undefined) return chosen;
  const caseOf = (index: number) => caseIdOf(rows[index] as RowFacts);
  const cases = new Set(chosen.map(caseOf));
  const drawn = sample === undefined ? cases : drawCases(cases, sample);
  const taken = new Set([...cases].filter((id) => drawn.has(id)).slice(0, limit));
  return chosen.filter((index) => taken.has(caseOf(index)));
}

function isMeant(row: RowFacts, filter: SavedRowFilter, found: Found): boolean {
  if (filter.datasets.length > 0 && !filter.datasets.includes(row.dataset)) return false;
  if (filter.labels.length > 0 && !row.labels.some((label) => filter.labels.includes(label))) {
    return false;
  }
  if (filter.only.length === 0) return true;
  return row.pruned !== true && filter.only.some((kind) => isKind(row, kind, found));
}

/** Ids of the cases that have at least one such trial. */
interface Found {
  readonly flaky: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
  /** A call of this row was refused by the budget. */
  readonly isRefused: boolean;
}

function isKind(row: RowFacts, kind: RowKind, { flaky, failed, isRefused }: Found): boolean {
  switch (kind) {
    case 'failed':
      // All trials of the case: repeating only the failed ones would raise the pass rate by luck.
      return failed.has(caseIdOf(row));
    case 'errors':
      return row.status === 'error';
    case 'unfinished':
      return isRefused || isUnfinished(row);
    default:
      return flaky.has(caseIdOf(row));
  }
}

/** A test for rows in a file or folder, or with a name. */
function placeTest(paths: readonly string[]): (row: RowFacts) => boolean {
  const tests = paths.map((path) => {
    const wanted = path.replace(/^\.\//, '').replace(/\/$/, '');
    if (wanted === '' || wanted === '.') return () => true;
    const isNamed = isCalled(wanted);
    return (row: RowFacts) => {
      const file = fileOf(row);
      return file === wanted || file.startsWith(`${wanted}/`) || isNamed(row);
    };
  });
  return (row) => tests.length === 0 || tests.some((test) => test(row));
}

function failedEvaluations(rows: readonly RowFacts[]): Set<string> {
  return new Set(rows.filter((row) => hasVerdict(row) && !passes(row)).map(caseIdOf));
}

/** Cases with finished trials that passed and finished trials that did not. */
function flakyEvaluations(rows: readonly RowFacts[]): Set<string> {
  const seen = new Map<string, { passed: boolean; failed: boolean }>();
  for (const row of rows) {
    if (row.status !== 'completed' && row.status !== 'error') continue;
    const facts = seen.get(caseIdOf(row)) ?? { passed: false, failed: false };
    if (passes(row)) facts.passed = true;
    else facts.failed = true;
    seen.set(caseIdOf(row), facts);
  }
  return new Set([...seen].filter(([, f]) => f.passed && f.failed).map(([id]) => id));
}
