import { AssayError } from '../../errors.js';
import { caseIdOf, type RowIdentity } from '../../model/result.js';

/** Identity of a row across runs. */
type RowKey = Pick<RowIdentity, 'id' | 'trial' | 'trial_of'>;

/**
 * The positions of wanted rows among planned ones. If only one side has trials, a case matches all its trials.
 * Error: `view-only`, which names the missing rows.
 */
export function matchPlannedRows(planned: Iterable<RowKey>, wanted: readonly RowKey[]): number[] {
  const ids = new Set(wanted.map((row) => row.id));
  const whole = new Set(wanted.filter((row) => row.trial === undefined).map((row) => row.id));
  const caseIds = new Set(wanted.map(caseIdOf));
  const found = new Set<string>();
  const chosen: number[] = [];
  let index = 0;
  for (const row of planned) {
    const caseId = caseIdOf(row);
    const isWanted =
      ids.has(row.id) || whole.has(caseId) || (row.trial === undefined && caseIds.has(caseId));
    if (isWanted) {
      chosen.push(index);
      found.add(row.id);
      if (row.trial === undefined || whole.has(caseId)) found.add(caseId);
    }
    index += 1;
  }
  const gone = wanted.filter((row) => !found.has(row.id) && !found.has(caseIdOf(row)));
  if (gone.length > 0) throw goneError(gone.map((row) => row.id));
  return chosen;
}

/** The error for requested rows whose evaluation no longer exists. */
export function goneError(ids: readonly string[]): AssayError {
  const named = ids.slice(0, 5).join(', ');
  const more = ids.length > 5 ? ` and ${ids.length - 5} more` : '';
  return new AssayError('view-only', `The evals have no ${named}${more} any more.`);
}
