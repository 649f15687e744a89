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
  /** For each run, the place of each pair among its cases; −1 if the run does not have it. */
  readonly #places: readonly Int32Array[];
  /** For each run except the base, the change of each pair; `null` if neither has it. Made when first asked for. */
  readonly #changes: (readonly (Change | null)[])[] = [];

  constructor(runs: readonly RunCases[]) {
    this.runs = runs;
    const { ids, pairs } = pairIds(runs.map(({ cases }) => cases));
    this.#ids = ids;
    this.#places = pairs.map((of) => {
      const places = new Int32Array(ids.length).fill(-1);
      for (const [place, pair] of of.entries()) places[pair] = place;
      return places;
    });
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
    return this.runs[run]?.cases[this.#place(pair, run)];
  }

  /** Indices of its rows in a run, ascending; empty if the run does not have it. */
  rowsOf(pair: number, run: number): readonly number[] {
    return this.runs[run]?.rows[this.#place(pair, run)] ?? [];
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
    return this.#ids.map((_, pair) => {
      const [one, two] = [this.evalCase(pair, 0), this.evalCase(pair, run)];
      return one === undefined && two === undefined ? null : changeOf(one, two);
    });
  }

  #place(pair: number, run: number): number {
    return this.#places[run]?.[pair] ?? -1;
  }
}

/** The ids of all cases, each once, and for each run the pairs of its cases. */
function pairIds(runs: readonly (readonly EvalCase[])[]) {
  const ids: string[] = [];
  let known: Map<string, number> | undefined;
  const pairs = runs.map((cases) =>
    Uint32Array.from(cases, ({ id }, place) => {
      // Most cases have the same place in all runs, which needs no lookup.
      if (ids[place] === id) return place;
      if (known === undefined && ids.length === place) return ids.push(id) - 1;
      known ??= new Map(ids.map((one, pair) => [one, pair]));
      const pair = known.get(id) ?? ids.push(id) - 1;
      known.set(id, pair);
      return pair;
    }),
  );
  return { ids, pairs };
}
