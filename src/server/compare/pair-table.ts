import {
  type Change,
  type ChangeCounts,
  changeOf,
  changes,
  countChanges,
} from '../../compare/cases/change.js';
import type { EvalCase } from '../../compare/cases/eval-case.js';
import { movedScores } from '../../compare/cases/moved-scores.js';
import type { RunCases } from './comparisons.js';

/**
 * The cases of two to four runs, paired by id: those of the first run in order, then the new ones of each other run.
 */
export class PairTable {
  readonly runs: readonly RunCases[];
  readonly length: number;
  /** For each run and pair, the number of its case; -1 if the run does not have it. */
  readonly #numbers: readonly Int32Array[];
  /** For each run except the first, the change of each pair: an index of `changes`. */
  readonly #changes: readonly Uint8Array[];
  /** For each run and row, its pair. */
  readonly #pairsOfRows: readonly Uint32Array[];

  private constructor(
    runs: readonly RunCases[],
    numbers: readonly Int32Array[],
    changed: readonly Uint8Array[],
    pairsOfRows: readonly Uint32Array[],
  ) {
    this.runs = runs;
    this.length = numbers[0]?.length ?? 0;
    this.#numbers = numbers;
    this.#changes = changed;
    this.#pairsOfRows = pairsOfRows;
  }

  /** Pairs the cases of runs; the first run is the base. */
  static of(runs: readonly RunCases[]): PairTable {
    const distinct = new Set<string>();
    for (const { cases } of runs)
      for (const { id } of cases) {
        distinct.add(id);
      }
    const ids = [...distinct];
    const numbers: Int32Array[] = [];
    for (const run of runs) {
      const own = new Int32Array(ids.length);
      for (const [pair, id] of ids.entries()) {
        own[pair] = run.numbers.get(id) ?? -1;
      }
      numbers.push(own);
    }
    const changed: Uint8Array[] = [];
    for (const position of runs.keys()) {
      if (position > 0) changed.push(changesOf(runs, numbers, position));
    }
    const pairsOfRows: Uint32Array[] = [];
    for (const [position, run] of runs.entries()) {
      pairsOfRows.push(pairsOf(run, numbers[position] ?? new Int32Array(0)));
    }
    return new PairTable(runs, numbers, changed, pairsOfRows);
  }

  /** The case of a pair in a run, if the run has it. */
  evalCase(pair: number, run: number): EvalCase | undefined {
    return this.runs[run]?.cases[this.number(pair, run)];
  }

  /** The number of its case in a run; -1 if the run does not have it. */
  number(pair: number, run: number): number {
    return this.#numbers[run]?.[pair] ?? -1;
  }

  /** Indices of its rows in a run, ascending; empty if the run does not have it. */
  rowsOf(pair: number, run: number): Uint32Array {
    const number = this.number(pair, run);
    return number < 0 ? noRows : (this.runs[run]?.rowsOf(number) ?? noRows);
  }

  /** The pair of each row of a run. */
  pairsOfRows(run: number): Uint32Array {
    return this.#pairsOfRows[run] ?? noRows;
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
    return changes[this.#changes[run - 1]?.[pair] ?? none] ?? null;
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
    return this.runs.map((_, run) => {
      if (run === 0) return null;
      return countChanges(Array.from(pairs, (pair) => this.change(pair, run)));
    });
  }
}

const noRows = new Uint32Array(0);

/** The code for a pair that neither run has. */
const none = 0xff;

const codes = new Map<Change, number>(changes.map((change, code) => [change, code]));

function changesOf(
  [base, ...others]: readonly RunCases[],
  numbers: readonly Int32Array[],
  position: number,
): Uint8Array {
  const other = others[position - 1];
  const [inBase, inOther] = [numbers[0] ?? new Int32Array(0), numbers[position]];
  const found = new Uint8Array(inBase.length);
  for (const [pair, number] of inBase.entries()) {
    const one = base?.cases[number];
    const two = other?.cases[inOther?.[pair] ?? -1];
    found[pair] =
      one === undefined && two === undefined ? none : (codes.get(changeOf(one, two)) ?? none);
  }
  return found;
}

const noPair = 2 ** 32 - 1;

function pairsOf({ cases, caseOfRow }: RunCases, numbers: Int32Array): Uint32Array {
  const pairOfCase = new Uint32Array(cases.length);
  for (const [pair, number] of numbers.entries()) {
    if (number >= 0) pairOfCase[number] = pair;
  }
  const pairs = new Uint32Array(caseOfRow.length);
  for (const [index, evalCase] of caseOfRow.entries()) {
    // Rows without a case get a number beyond all pairs.
    pairs[index] = pairOfCase[evalCase] ?? noPair;
  }
  return pairs;
}
