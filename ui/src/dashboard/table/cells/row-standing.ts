import type { Fold, TableGroup, TableRow } from '../../../api/schema.js';
import { nameParts as splitName } from '../../../components/names/evaluation-name.js';
import { type CaseStanding, standingOf } from '../../../components/scores/standing.js';

/** The state of a row; for a row of several trials, the most urgent one. */
export function rowStanding({ status, passed, pruned, fold }: TableRow): CaseStanding {
  if (pruned) return 'pruned';
  return fold === undefined ? standingOf(status, passed) : foldStanding(fold);
}

const urgent = ['running', 'pending'] as const;
const settled = ['error', 'failed', 'passed', 'cancelled', 'no_verdict'] as const;

/** The combined state of the trials of a case. */
function foldStanding({ standings, flaky }: Fold): CaseStanding {
  for (const standing of urgent) if (standings.includes(standing)) return standing;
  if (flaky) return 'flaky';
  for (const standing of settled) if (standings.includes(standing)) return standing;
  return 'not_started';
}

/** The id of a row: of a case with its trials, or of a result. */
export function rowId({ id, fold }: TableRow): string {
  return fold?.id ?? id;
}

/** Indices of the results behind a row. */
export function rowIndices({ index, fold }: TableRow): readonly number[] {
  return fold?.indices ?? [index];
}

/** Splits a name: `cancel`, `[twice]`, `~2`. */
export function nameParts({ function: name, fold, trial }: TableRow): {
  readonly name: string;
  readonly case: string;
  readonly trial: string;
} {
  const whole = trial === undefined ? name : name.replace(new RegExp(`~${trial}$`), '');
  const [evaluation, testCase] = splitName(whole);
  return {
    name: evaluation,
    case: testCase,
    trial: trial === undefined || fold !== undefined ? '' : `~${trial}`,
  };
}

/** The accessible name of a row: `cancel[twice]~2`. */
export function rowName(row: TableRow): string {
  const { name, case: inBrackets, trial } = nameParts(row);
  return `${name}${inBrackets}${trial}`;
}

/** The name of a group: what its results share, or that they have too little in common. */
export function groupName({ key }: Pick<TableGroup, 'key'>, by: string): string {
  if (key === null) return by === 'label' ? 'no shared label' : 'ungrouped';
  return key === '' ? 'empty text' : key;
}
