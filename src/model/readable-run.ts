import type { CorrectedScore } from './calibration/calibration.js';
import type { Trace } from './calls/model-call.js';
import type { ExportedReview } from './labels.js';
import type { ResultEntry, RowFacts } from './result.js';
import type { RunHead } from './run.js';
import type { ScoreChip } from './scores/score.js';

/** A result with its position in the run. */
export interface IndexedEntry {
  /** 0-based position in the run. */
  readonly index: number;
  readonly entry: ResultEntry;
}

/** A run that can be read as a stream, wherever it is stored. Exporters need nothing else. */
export interface ReadableRun {
  readonly head: RunHead;
  /** One chip for each score key of the run, in order of first appearance. */
  readonly scoreChips: readonly ScoreChip[];
  /** The facts of every result that summaries need, by index. */
  readonly rows: readonly RowFacts[];
  /** What people say of its results; absent for nothing. */
  readonly review?: ExportedReview | undefined;
  /** Its scores as people would give them, where labels say so; absent if that is not known. */
  readonly corrected?: readonly CorrectedScore[] | undefined;
  /** Reads all results in order of index, or those at `indices` in the given order. */
  entries(indices?: readonly number[]): AsyncIterable<IndexedEntry>;
  /** The calls and spans of a result; none for an index that the run does not have. */
  trace(index: number): Trace;
}
