import { AssayError } from '../../errors.js';
import { quotedName } from '../../text/name-text.js';
import { didYouMean } from '../../text/near-names.js';
import type { ReportedRun } from '../report/report-options.js';
import { pathInIds } from '../run/saved-run-rows.js';

// Further candidates are only counted.
const mostNamed = 10;

/**
 * Finds a result by its id, by its id without the trial, or by the name of its evaluation if that is unique. Error:
 * `no-such-result`, with similar names or the candidates.
 */
export function findResult(run: ReportedRun, wanted: string, cwd: string): number {
  const { rows } = run;
  const id = wanted.includes('::') ? pathInIds(wanted, cwd) : wanted;
  const exact = rows.findIndex((row) => row.id === id);
  if (exact !== -1) return exact;
  const alike = rows.flatMap((row, index) =>
    [row.trial_of, row.evaluation, row.function].includes(id) ? [index] : [],
  );
  const [only] = alike;
  if (only !== undefined && alike.length === 1) return only;
  const { run_name } = run.head();
  if (alike.length > 0) {
    const ids = alike.slice(0, mostNamed).map((index) => rows[index]?.id ?? '');
    const more = alike.length - ids.length;
    throw new AssayError(
      'no-such-result',
      `${alike.length} results of ${run_name} are called ${quotedName(wanted)}: name one by its id.`,
      { hints: [...ids, ...(more > 0 ? [`… ${more} more`] : [])] },
    );
  }
  const names = new Set(rows.flatMap((row) => [row.id, row.function]));
  const hint = didYouMean(id, names);
  throw new AssayError('no-such-result', `${run_name} has no result ${quotedName(wanted)}.`, {
    hints: hint === undefined ? [] : [hint],
  });
}
