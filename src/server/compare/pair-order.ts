import { changes } from '../../compare/cases/change.js';
import {
  type CaseScore,
  type EvalCase,
  meanUsed,
  meanValueOf,
  passShare,
  scoreOf,
  verdictsOf,
} from '../../compare/cases/eval-case.js';
import { type KeyFacts, scoreFacts } from '../../compare/cases/score-facts.js';
import { type UsedAmount, usedAmounts } from '../../compare/differences/amount-difference.js';
import { rankNumbers, rankTexts, sortByRank } from '../rows/row-order.js';
import type { PairTable } from './pair-table.js';

/** The sort keys of pairs. */
export const pairSortFields = [
  'index',
  'change',
  'function',
  'dataset',
  'passed',
  'latency',
  ...usedAmounts,
] as const;
type PairSortField = (typeof pairSortFields)[number];

/** A sort order. Equal pairs keep their order; pairs without the value come last in both directions. */
export interface PairOrder {
  readonly by: PairSortField | { readonly score: string };
  readonly descending: boolean;
}

/** Sorts pairs. */
export function sortPairs(
  table: PairTable,
  pairs: Uint32Array,
  { by, descending }: PairOrder,
): Uint32Array {
  if (by === 'index') return descending ? pairs.slice().reverse() : pairs;
  const ranks = rankPairs(table, by);
  return sortByRank(pairs, ranks, descending);
}

/** The rank of each pair. */
function rankPairs(table: PairTable, by: Exclude<PairOrder['by'], 'index'>): Uint32Array {
  if (by === 'function' || by === 'dataset') {
    const texts: string[] = [];
    for (let pair = 0; pair < table.length; pair += 1) {
      texts.push(table.anyCase(pair)[by]);
    }
    return rankTexts(texts);
  }
  const values = new Float64Array(table.length);
  if (by === 'change') {
    for (const pair of values.keys()) values[pair] = firstChange(table, pair);
  } else {
    const { read, isLowerBetter } = measureOf(table, by);
    for (const pair of values.keys()) {
      const difference = firstDifference(table, pair, read);
      values[pair] = isLowerBetter ? -difference : difference;
    }
  }
  return rankNumbers(values);
}

/** What cases can differ in, apart from their outputs. */
export type PairMeasure = 'passed' | 'latency' | UsedAmount | { readonly score: string };

/** How a measure is read of a case: of a score its share of passes if an evaluator gave any verdict, else the mean of its values. */
export function measureOf(
  table: PairTable,
  by: PairMeasure,
): { readonly read: (evalCase: EvalCase) => number | null; readonly isLowerBetter: boolean } {
  const isLowerBetter = false;
  if (by === 'passed') return { read: passShare, isLowerBetter };
  if (by === 'latency') return { read: ({ latency }) => latency, isLowerBetter };
  if (typeof by === 'string') return { read: (evalCase) => meanUsed(evalCase, by), isLowerBetter };
  const facts: KeyFacts[] = [];
  for (const { cases } of table.runs) {
    const found = scoreFacts(cases).get(by.score);
    if (found !== undefined) facts.push(found);
  }
  const hasVerdicts = facts.some(({ hasGiven }) => hasGiven);
  const readScore = hasVerdicts ? verdictShare : meanValueOf;
  return {
    read: (evalCase) => {
      const score = scoreOf(evalCase, by.score);
      return score === undefined ? null : readScore(score);
    },
    isLowerBetter: !hasVerdicts && facts.some(({ better }) => better === 'lower'),
  };
}

function verdictShare(score: CaseScore): number | null {
  const verdicts = verdictsOf(score);
  return verdicts === undefined ? null : verdicts.passes / verdicts.of;
}

/** Most important change first, in the order of `changes`. */
function firstChange(table: PairTable, pair: number): number {
  let first = Number.NaN;
  for (let run = 1; run < table.runs.length; run += 1) {
    const change = table.change(pair, run);
    if (change === null) continue;
    const place = changes.indexOf(change);
    if (Number.isNaN(first) || place < first) first = place;
  }
  return first;
}

/** The difference from the base in the first other run that has the value. */
function firstDifference(
  table: PairTable,
  pair: number,
  read: (evalCase: EvalCase) => number | null,
): number {
  const base = table.evalCase(pair, 0);
  const from = base === undefined ? null : read(base);
  if (from === null) return Number.NaN;
  for (let run = 1; run < table.runs.length; run += 1) {
    const other = table.evalCase(pair, run);
    const to = other === undefined ? null : read(other);
    if (to !== null) return to - from;
  }
  return Number.NaN;
}
