import { countedOf, type RowFacts } from '../result.js';
import type { Mixed } from '../run.js';

/** Counts the results that are of another system than the others of their evaluation. */
export class MixedCounter {
  #otherCode = 0;
  #formerGrades = 0;
  #gone = 0;

  add(row: RowFacts): void {
    const counted = countedOf(row);
    if (counted.otherCode === true) this.#otherCode += 1;
    if (row.gone === true && row.pruned !== true) this.#gone += 1;
    if (row.hasFormerGrade === true || counted.hasFormerGrade === true) this.#formerGrades += 1;
  }

  /** `undefined` for none. */
  get found(): Mixed | undefined {
    const counts = {
      other_code: this.#otherCode,
      former_grades: this.#formerGrades,
      gone: this.#gone,
    };
    const found = Object.entries(counts).filter(([, count]) => count > 0);
    return found.length === 0 ? undefined : Object.fromEntries(found);
  }
}
