import { foldUnits } from '../../compare/fold-units.js';
import type { Unit } from '../../compare/unit.js';
import type { RowFacts } from '../../model/result.js';
import { eachInSteps, type Steps } from '../../model/steps.js';

/** What comparisons need of a run at one moment: its units, and where their rows are. */
export interface RunUnits {
  /** In order of first appearance. */
  readonly units: readonly Unit[];
  /** Numbers of units by id. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Indices of the rows of a unit, ascending. */
  rowsOf(number: number): Uint32Array;
  /** For each row the number of its unit. */
  readonly unitOfRow: Uint32Array;
}

/** Folds the rows of a run; outputs are told apart by the hashes that rows carry. */
export function* runUnits(rows: readonly RowFacts[]): Steps<RunUnits> {
  const units = yield* foldUnits(rows);
  const numbers = new Map<string, number>();
  yield* eachInSteps(units, ({ id }, number) => numbers.set(id, number));
  const unitOfRow = new Uint32Array(rows.length);
  yield* eachInSteps(rows, (row, index) => {
    // Of no unit: what is pruned comes after the rows of all units.
    const number = row.pruned === true ? undefined : numbers.get(row.trial_of ?? row.id);
    unitOfRow[index] = number ?? units.length;
  });
  const { starts, members } = groupRows(unitOfRow, units.length);
  return {
    units,
    numbers,
    rowsOf: (number) => members.subarray(starts[number], starts[number + 1]),
    unitOfRow,
  };
}

/** The rows of unit n are the members from starts[n] up to and without starts[n + 1]. */
function groupRows(unitOfRow: Uint32Array, units: number) {
  const starts = new Uint32Array(units + 1);
  for (const unit of unitOfRow) starts[unit + 1] = (starts[unit + 1] ?? 0) + 1;
  for (let unit = 0; unit < units; unit += 1) {
    starts[unit + 1] = (starts[unit + 1] ?? 0) + (starts[unit] ?? 0);
  }
  const next = starts.slice();
  const members = new Uint32Array(unitOfRow.length);
  unitOfRow.forEach((unit, index) => {
    const place = next[unit] ?? 0;
    members[place] = index;
    next[unit] = place + 1;
  });
  return { starts, members };
}
