import { countedOf, type RowFacts } from '../result.js';
import type { Mixed } from '../run.js';

/** Counts the results that are of another system than the others of their evaluation. */
export class MixedCounter {
  #otherCode = 0;
  #formerGrades = 0;

  add(row: RowFacts): void {
    const counted = countedOf(row);
    if (counted.otherCode === true) this.#otherCode += 1;
    if (row.hasFormerGrade === true || counted.hasFormerGrade === true) this.#formerGrades += 1;
  }

  /** `undefined` for none. */
  get found(): Mixed | undefined {
    const [other_code, former_grades] = [this.#otherCode, this.#formerGrades];
    if (other_code + former_grades === 0) return undefined;
    return { ...(other_code > 0 && { other_code }), ...(former_grades > 0 && { former_grades }) };
  }
}
