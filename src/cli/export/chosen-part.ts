import { findExporter } from '../../exporters/index.js';
import { type Redacted, redact } from '../../exporters/redact.js';
import type { ReadableRun } from '../../model/readable-run.js';
import type { StoredRun } from '../../store/stored-run.js';
import { askedOf, isAsking, type SelectionFlags } from '../selection-flags.js';

/** What of runs is exported. */
interface PartFlags extends SelectionFlags {
  readonly redact?: readonly Redacted[] | undefined;
}

/** The run without the values that are to be left out. */
export function shownOf(run: ReadableRun, hidden: readonly Redacted[] | undefined): ReadableRun {
  return hidden === undefined ? run : redact(run, hidden);
}

/**
 * The results that flags choose, without the values that they leave out, as runs of their own; the runs themselves without
 * such flags. Error: `usage` for a choice by outcomes, because the page shows rates.
 */
export async function choosePart(runs: readonly StoredRun[], flags: PartFlags) {
  if (flags.redact === undefined && !isAsking(flags)) return { runs, close: async () => undefined };
  const { refuseOutcome } = await import('../outcome-conditions.js');
  const { selectedResults } = await import('../show/chosen-results.js');
  const { openScratch, parsed } = await import('../run/temporary-results.js');
  const scratch = await openScratch();
  try {
    const parts: StoredRun[] = [];
    for (const run of runs) {
      await refuseOutcome(askedOf(flags).where, run, 'a report shows their rates');
      const snapshot = run.snapshot();
      const indices = isAsking(flags)
        ? (await selectedResults(snapshot, run, flags))?.indices
        : undefined;
      const shown = shownOf(snapshot, flags.redact);
      const calls = flags.redact === undefined;
      const pieces = findExporter('json').render(shown, { indices, calls });
      parts.push(await scratch.add(await parsed(pieces)));
    }
    return { runs: parts, close: () => scratch.close() };
  } catch (error) {
    await scratch.close();
    throw error;
  }
}
