import { countedOf, hasOtherAttempt, passes, type RowFacts } from '../result.js';
import type { Repeats } from '../run.js';

/** The attempts of rows that count, in the same order. */
export function countedRows(rows: Iterable<RowFacts>): Iterable<RowFacts> {
  return {
    *[Symbol.iterator]() {
      for (const row of rows) yield countedOf(row);
    },
  };
}

/** Counts the results that ran again outside of a pass; `undefined` for none. `isOlder`: see {@link Repeats}. */
export function countRepeats(rows: Iterable<RowFacts>, isOlder = false): Repeats | undefined {
  let results = 0;
  let passed = 0;
  let regraded = 0;
  let otherCode = 0;
  for (const row of rows) {
    const { counted, code, pruned } = row;
    if (counted === undefined || pruned === true) continue;
    results += 1;
    if (passes(row)) passed += 1;
    if (!hasOtherAttempt(row)) regraded += 1;
    // What was carried over is of the same code, whatever else its modules say now.
    const isOther = row.otherCode === true || code === undefined || code !== counted.code;
    if (isOther && row.verifies !== true) otherCode += 1;
  }
  if (results === 0) return undefined;
  return {
    ...{ results, passed },
    ...(regraded > 0 && { regraded }),
    ...(otherCode > 0 && { other_code: otherCode }),
    ...(isOlder && { of_older_version: true }),
  };
}
