import { besideParts } from './calls/run-usage.js';
import type { IndexedEntry, ReadableRun } from './readable-run.js';
import { executionFacts, runPlaceOf } from './run.js';
import { countedSummary, countsOf, countsOfSummary, newestOnly } from './summary/counts-only.js';
import { scoreScales } from './summary/score-values.js';
import { besideRows, headFigures, summarise } from './summary/summary.js';

/**
 * A run of the results at `indices` alone, in this order, with their figures; the run as it is without indices.
 * `countsOnly`: what came of them decided which they are, so that their rates say nothing.
 */
export function selectResults(
  run: ReadableRun,
  indices: readonly number[] | undefined,
  countsOnly = false,
): ReadableRun {
  if (indices === undefined) return run;
  const rows = indices.flatMap((index) => run.rows[index] ?? []);
  const scales = scoreScales(run.rows);
  const summed = countsOnly ? newestOnly(rows) : rows;
  const { unlisted, hasOldRepeats } = besideRows(run.head);
  const whole = summarise(summed, scales, {
    hasOldRepeats,
    unlisted: besideParts(run.rows, unlisted)(rows),
  });
  const summary = countsOnly ? countsOfSummary(whole) : whole;
  const { passes } = run.head.summary;
  const counted = countedSummary(summed, summary, { passes, scales });
  const { run_id, session_name, run_name, path, config_name } = run.head;
  const { created_at, started_at, updated_at, state } = run.head;
  return {
    head: {
      ...{ run_id, session_name, run_name, created_at, started_at, updated_at, path, config_name },
      ...runPlaceOf(run.head),
      ...headFigures(summary),
      summary: countsOnly ? countsOf(counted) : counted,
      part_of: run.head.part_of ?? run.rows.length,
      ...executionFacts(run.head),
      state,
    },
    scoreChips: summary.score_chips,
    rows,
    entries: (positions) => entriesOf(run, indices, positions),
    trace: (position) => run.trace(indices[position] ?? -1),
  };
}

async function* entriesOf(
  run: ReadableRun,
  indices: readonly number[],
  positions: readonly number[] = [...indices.keys()],
): AsyncGenerator<IndexedEntry> {
  const chosen = positions.filter((position) => indices[position] !== undefined);
  let at = 0;
  for await (const { entry } of run.entries(chosen.map((position) => indices[position] ?? 0))) {
    yield { index: chosen[at] ?? 0, entry };
    at += 1;
  }
}
