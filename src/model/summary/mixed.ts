import { countedOf, type RowFacts } from '../result.js';
import type { Mixed } from '../run.js';

/** Counts the results that are of another system than the others of their evaluation; `undefined` for none. */
export function countMixed(rows: Iterable<RowFacts>): Mixed | undefined {
  let otherCode = 0;
  let formerGrades = 0;
  for (const row of rows) {
    if (row.pruned === true) continue;
    if (countedOf(row).otherCode === true) otherCode += 1;
    if (row.hasFormerGrade === true || countedOf(row).hasFormerGrade === true) formerGrades += 1;
  }
  if (otherCode + formerGrades === 0) return undefined;
  return {
    ...(otherCode > 0 && { other_code: otherCode }),
    ...(formerGrades > 0 && { former_grades: formerGrades }),
  };
}
