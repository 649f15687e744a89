import type { FinishedRow, PlannedRow } from '../../src/store/run-owner.js';
import type { StoredRun } from '../../src/store/stored-run.js';
import { finished, newRun, plan, temporaryStore } from '../store/builders.js';

/** A row as it is planned and what it came to; a row without an end never finishes. */
export interface SavedRow {
  readonly plan?: Partial<PlannedRow>;
  readonly end?: Partial<FinishedRow>;
  readonly unfinished?: 'cancelled' | 'pending';
}

/** A run of these rows in a store of its own, with the id 3f9a0c12be77. */
export async function savedRun(rows: readonly SavedRow[]): Promise<StoredRun> {
  const store = await temporaryStore();
  const owner = await store.createRun(newRun({ run_id: '3f9a0c12be77' }));
  owner.plan(rows.map(({ plan = {} }, index) => plannedRow(index, plan)));
  owner.schedule({ kind: 'run', rows: 'all' });
  owner.finish(
    rows.flatMap(({ end = {}, unfinished }, index) =>
      unfinished === undefined ? [finishedRow(index, end)] : [],
    ),
  );
  owner.cancel(
    rows.flatMap(({ unfinished }, index) => (unfinished === 'cancelled' ? [index] : [])),
  );
  await owner.close('finished');
  return owner.run;
}

/** An end with one score `exact`. */
export function graded(passed: boolean, end: Partial<FinishedRow> = {}): Partial<FinishedRow> {
  return { scores: [{ key: 'exact', passed }], ...end };
}

/** The rows of an evaluation with several trials, a letter each: p passed, f failed, e error, c cancelled. */
export function trials(name: string, letters: string): SavedRow[] {
  const id = `evals/agent.eval.ts::${name}`;
  return [...letters].map((letter, at) => ({
    plan: { id: `${id}~${at + 1}`, evaluation: id, function: name, trial: at + 1, trial_of: id },
    ...(letter === 'c'
      ? { unfinished: 'cancelled' as const }
      : {
          end:
            letter === 'e'
              ? { status: 'error' as const, scores: [], error: 'Error: lost' }
              : graded(letter === 'p'),
        }),
  }));
}

function plannedRow(index: number, change: Partial<PlannedRow>): PlannedRow {
  const name = change.function ?? `review[${index}]`;
  const file = 'evals/sentiment.eval.ts';
  return plan(index, {
    ...{ id: `${file}::${name}`, evaluation: `${file}::review`, function: name },
    ...{ dataset: 'sentiment', labels: [], input: `text ${index}`, metadata: {} },
    ...change,
  });
}

function finishedRow(index: number, change: Partial<FinishedRow>): FinishedRow {
  const nothing = { scores: [], latency: 0.0002, trace_data: {} };
  return finished(index, { output: 'positive', ...nothing, ...change });
}
