import type { Estimate } from '../../statistics/bounds.js';
import { clusteredRate } from '../../statistics/clustered-share.js';
import { countedOf, hasVerdict, passes, type RowFacts } from '../result.js';
import { ClusterNumbers, ClusterTotals } from './cluster-totals.js';

/** Passed / (results with a verdict + errors) with its 95 % interval over cases, or clusters of them; plain JSON. */
export interface PassRate extends Estimate {
  readonly passed: number;
  /** The number of results with a verdict, plus errors. */
  readonly total: number;
}

/** The pass rate of the attempts of rows that count, except pruned ones; `null` when nothing has a verdict or is an error. */
export function passRate(rows: Iterable<RowFacts>): PassRate | null {
  const totals = new ClusterTotals();
  const clusters = new ClusterNumbers();
  let passed = 0;
  let total = 0;
  for (const one of rows) {
    const row = countedOf(one);
    if (row.pruned === true || (row.status !== 'error' && !hasVerdict(row))) continue;
    const isPass = passes(row);
    totals.add(clusters.of(row), isPass ? 1 : 0);
    total += 1;
    if (isPass) passed += 1;
  }
  const rate = clusteredRate(totals.sums, totals.counts);
  return rate === null ? null : { passed, total, ...rate };
}
