import { setImmediate } from 'node:timers/promises';
import { type Change, type ChangeCounts, changeOf, changes } from '../../model/compare/change.js';
import type { Unit } from '../../model/compare/unit.js';
import type { RunUnits } from './run-units.js';

/** The units of two to four runs side by side, paired by id: those of the first run in its order, then what is new in each. */
export class PairTable {
  readonly runs: readonly RunUnits[];
  readonly length: number;
  /** For each run and pair the number of its unit; -1 when the run does not have it. */
  readonly #numbers: readonly Int32Array[];
  /** For each run but the first what became of each pair: a position in `changes`. */
  readonly #changes: readonly Uint8Array[];

  private constructor(
    runs: readonly RunUnits[],
    numbers: readonly Int32Array[],
    changed: readonly Uint8Array[],
  ) {
    this.runs = runs;
    this.length = numbers[0]?.length ?? 0;
    this.#numbers = numbers;
    this.#changes = changed;
  }

  /** Pairs the units of runs, in several turns; the first run is the base. */
  static async of(runs: readonly RunUnits[]): Promise<PairTable> {
    const ids = new Set<string>();
    for (const { units } of runs) for (const { id } of units) ids.add(id);
    const numbers: Int32Array[] = [];
    for (const run of runs) {
      await setImmediate();
      numbers.push(Int32Array.from(ids, (id) => run.numbers.get(id) ?? -1));
    }
    const changed: Uint8Array[] = [];
    for (const position of runs.keys()) {
      if (position === 0) continue;
      await setImmediate();
      changed.push(changesOf(runs, numbers, position));
    }
    return new PairTable(runs, numbers, changed);
  }

  /** The unit of a pair in a run, when the run has it. */
  unit(pair: number, run: number): Unit | undefined {
    return this.runs[run]?.units[this.number(pair, run)];
  }

  /** Its number in that run; -1 when the run does not have it. */
  number(pair: number, run: number): number {
    return this.#numbers[run]?.[pair] ?? -1;
  }

  /** The unit in the first run that has it: all agree about its names. */
  anyUnit(pair: number): Unit {
    for (const run of this.runs.keys()) {
      const unit = this.unit(pair, run);
      if (unit !== undefined) return unit;
    }
    throw new RangeError(`there is no pair ${pair}`);
  }

  /** What became of a pair in a run; `null` in the base, and where neither it nor the base has it. */
  change(pair: number, run: number): Change | null {
    return changes[this.#changes[run - 1]?.[pair] ?? none] ?? null;
  }

  /** For each run how many of these pairs there are of each change; `null` for the base. */
  countChanges(pairs: Uint32Array): (ChangeCounts | null)[] {
    return this.runs.map((_, run) => {
      if (run === 0) return null;
      const counts = {
        regressed: 0,
        fixed: 0,
        changed: 0,
        same: 0,
        only_base: 0,
        only_other: 0,
        not_paired: 0,
      };
      for (const pair of pairs) {
        const change = this.change(pair, run);
        if (change !== null) counts[change] += 1;
      }
      return counts;
    });
  }
}

/** The code of a pair that neither of two runs has. */
const none = 0xff;

const codes = new Map<Change, number>(changes.map((change, code) => [change, code]));

function changesOf(
  runs: readonly RunUnits[],
  numbers: readonly Int32Array[],
  position: number,
): Uint8Array {
  const [base, other] = [runs[0], runs[position]];
  const [inBase, inOther] = [numbers[0], numbers[position]];
  return Uint8Array.from(inBase ?? [], (number, pair) => {
    const one = base?.units[number];
    const two = other?.units[inOther?.[pair] ?? -1];
    return one === undefined && two === undefined ? none : (codes.get(changeOf(one, two)) ?? none);
  });
}
