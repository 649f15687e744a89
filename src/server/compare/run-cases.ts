import type { EvalCase } from '../../compare/cases/eval-case.js';
import { casesOf } from '../../compare/cases/group-by-case.js';
import { caseIdOf } from '../../model/result.js';
import type { RunMoment } from './run-moment.js';

/** The cases of a run at one moment, and their rows. */
export interface RunCases {
  /** In order of first appearance. */
  readonly cases: readonly EvalCase[];
  /** Numbers of cases by id. */
  readonly numbers: ReadonlyMap<string, number>;
  /** Indices of the rows of a case, ascending. */
  rowsOf(number: number): Uint32Array;
  /** For each row the number of its case. */
  readonly caseOfRow: Uint32Array;
}

/** Groups the rows of a run by case; outputs are compared by hash. */
export function runCases({ runId, rows }: Pick<RunMoment, 'runId' | 'rows'>): RunCases {
  const cases = casesOf(rows, runId);
  const numbers = new Map<string, number>();
  for (const [number, { id }] of cases.entries()) {
    numbers.set(id, number);
  }
  const caseOfRow = new Uint32Array(rows.length);
  for (const [index, row] of rows.entries()) {
    // Pruned rows belong to no case and come last.
    const number = row.pruned === true ? undefined : numbers.get(caseIdOf(row));
    caseOfRow[index] = number ?? cases.length;
  }
  const { starts, members } = groupRows(caseOfRow, cases.length);
  return {
    cases,
    numbers,
    rowsOf: (number) => members.subarray(starts[number], starts[number + 1]),
    caseOfRow,
  };
}

/** The rows of case n are the members from starts[n] to starts[n + 1], exclusive. */
function groupRows(caseOfRow: Uint32Array, cases: number) {
  const starts = new Uint32Array(cases + 1);
  for (const evalCase of caseOfRow) starts[evalCase + 1] = (starts[evalCase + 1] ?? 0) + 1;
  for (let evalCase = 0; evalCase < cases; evalCase += 1) {
    starts[evalCase + 1] = (starts[evalCase + 1] ?? 0) + (starts[evalCase] ?? 0);
  }
  const next = starts.slice();
  const members = new Uint32Array(caseOfRow.length);
  caseOfRow.forEach((evalCase, index) => {
    const place = next[evalCase] ?? 0;
    members[place] = index;
    next[evalCase] = place + 1;
  });
  return { starts, members };
}
