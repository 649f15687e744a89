import type { Trace } from './calls/model-call.js';
import { withCalls } from './calls/stored-calls.js';
import { type EarlierAttempt, type ResultEntry, withoutKept } from './result.js';

/** One result with its place, as the API and `assay show --json` answer it. */
export interface ResultPage {
  readonly result: ResultEntry;
  readonly index: number;
  /** Results of the run. */
  readonly total: number;
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  readonly eval_path: string;
  /** Only over HTTP: true if calls or spans were left out. */
  readonly has_calls?: true;
  /** Newest first; only when there are earlier attempts. */
  readonly attempts?: readonly EarlierAttempt[];
}

/** A run that a result can be read of. */
interface PagedRun {
  readonly rows: { readonly length: number };
  entry(index: number): ResultEntry;
  trace(index: number): Trace;
  attempts(index: number): readonly EarlierAttempt[];
}

/** Reads the result at an index, with its calls unless they are left out, its place and its earlier attempts. Error: `no-such-result`. */
export function readResultPage(
  run: PagedRun,
  {
    run_id,
    session_name,
    run_name,
    path,
  }: Readonly<Record<'run_id' | 'session_name' | 'run_name' | 'path', string>>,
  index: number,
  hasCalls = true,
): ResultPage {
  const entry = withoutKept(run.entry(index));
  const result = hasCalls ? withCalls(entry, run.trace(index)) : entry;
  const attempts = run.attempts(index);
  return {
    result,
    index,
    total: run.rows.length,
    run_id,
    session_name,
    run_name,
    eval_path: path,
    ...(attempts.length === 0 ? {} : { attempts }),
  };
}
