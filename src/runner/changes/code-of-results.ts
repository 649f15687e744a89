import { type FoundCode, filesOf } from '../../model/code/file-code.js';
import { countOf } from '../../text/count-text.js';
import type { FinishedResult } from '../events.js';

/** Tells which results of an execution have code that is not stored, so that no later run can carry them over. */
export class CodeOfResults {
  /** Why code did not come, in a few words. */
  problem: string | undefined;
  readonly #stored = new Set<string | undefined>();
  /** The number of results by the hash of their code. */
  readonly #results = new Map<string | undefined, number>();

  addCode(codes: readonly FoundCode[]): void {
    for (const { code } of codes.flatMap(filesOf)) this.#stored.add(code);
  }

  addResults(finished: readonly FinishedResult[]): void {
    for (const { outcome } of finished) {
      // Errors run again anyway.
      if (outcome.status !== 'completed') continue;
      this.#results.set(outcome.code, (this.#results.get(outcome.code) ?? 0) + 1);
    }
  }

  /** What is to be said at the end; absent where all code is stored. */
  get remark(): string | undefined {
    let count = 0;
    for (const [code, results] of this.#results) if (!this.#stored.has(code)) count += results;
    if (count === 0) return undefined;
    const why = this.problem ?? 'their modules have changed during the run';
    return `The code of ${countOf(count, 'result')} was not analysed: ${why}. --changed will run them again.`;
  }
}
