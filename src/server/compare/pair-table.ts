import {
  type Change,
  type ChangeCounts,
  changeOf,
  countChanges,
  movedScores,
} from '../../compare/cases/change.js';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import type { RunCases } from './comparisons.js';

/**
 * The cases of two or more runs, paired by id: those of the first run in order, then the new ones of each other run. The
 * first run is the base.
 */
export class PairTable {
  readonly runs: readonly RunCases[];
  readonly #ids: readonly string[];
  /** For each run except the base, the change of each pair; `null` if neither has it. Made when first asked for. */
  readonly #changes: (readonly (Change | null)[])[] = [];

  constructor(runs: readonly RunCases[]) {
    this.runs = runs;
    this.#ids = [...new Set(runs.flatMap(({ cases }) => cases.map(({ id }) => id)))];
  }

  get length(): number {
    return this.#ids.length;
  }

  /** The pair of a case; `undefined` if no run has it. */
  find(id: string): number | undefined {
    const pair = this.#ids.indexOf(id);
    return pair === -1 ? undefined : pair;
  }

  /** The case of a pair in a run, if the run has it. */
  evalCase(pair: number, run: number): EvalCase | undefined {
    return this.runs[run]?.byId.get(this.#idOf(pair));
  }

  /** Indices of its rows in a run, ascending; empty if the run does not have it. */
  rowsOf(pair: number, run: number): readonly number[] {
    return this.runs[run]?.rows.get(this.#idOf(pair)) ?? [];
  }

  /** The case in the first run that has it; its names are the same in all runs. */
  anyCase(pair: number): EvalCase {
    for (const run of this.runs.keys()) {
      const evalCase = this.evalCase(pair, run);
      if (evalCase !== undefined) return evalCase;
    }
    throw new RangeError(`there is no pair ${pair}`);
  }

  /** The change of a pair in a run; `null` in the base, and if neither run has it. */
  change(pair: number, run: number): Change | null {
    if (run === 0 || run >= this.runs.length) return null;
    this.#changes[run] ??= this.#changesIn(run);
    return this.#changes[run][pair] ?? null;
  }

  /**
   * Whether another share of the trials of a pair passed in one run than in another. Errors have not passed; a run without
   * a verdict on the pair says nothing.
   */
  differs(pair: number): boolean {
    let first: EvalCase | undefined;
    for (const run of this.runs.keys()) {
      const evalCase = this.evalCase(pair, run);
      if (evalCase === undefined || evalCase.judged === 0) continue;
      first ??= evalCase;
      if (first.passes * evalCase.judged !== evalCase.passes * first.judged) return true;
    }
    return false;
  }

  /** Keys of the scores of a pair that differ from the base. */
  movedScores(pair: number, run: number): readonly string[] {
    const [base, other] = [this.evalCase(pair, 0), this.evalCase(pair, run)];
    return base === undefined || other === undefined ? [] : movedScores(base, other);
  }

  /** Whether the outputs of a pair are known to be those of the base. */
  hasSameOutput(pair: number, run: number): boolean {
    const hash = this.evalCase(pair, 0)?.outputHash ?? null;
    return run > 0 && hash !== null && hash === this.evalCase(pair, run)?.outputHash;
  }

  /** For each run, the number of these pairs per change; `null` for the base. */
  countChanges(pairs: Uint32Array): (ChangeCounts | null)[] {
    return this.runs.map((_, run) =>
      run === 0 ? null : countChanges(Array.from(pairs, (pair) => this.change(pair, run))),
    );
  }

  #changesIn(run: number): readonly (Change | null)[] {
    return this.#ids.map((id) => {
      const [one, two] = [this.runs[0]?.byId.get(id), this.runs[run]?.byId.get(id)];
      return one === undefined && two === undefined ? null : changeOf(one, two);
    });
  }

  #idOf(pair: number): string {
    return this.#ids[pair] ?? '';
  }
}
