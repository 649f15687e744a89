import type { ResultEntry, RowFacts } from './result.js';
import type { RunHead } from './run.js';
import type { ScoreChip } from './score.js';

/** A result with its position in the run. */
export interface IndexedEntry {
  /** 0-based position in the run. */
  readonly index: number;
  readonly entry: ResultEntry;
}

/** A run that can be read as a stream, wherever it is kept: all that an exporter needs. */
export interface ReadableRun {
  readonly head: RunHead;
  /** One chip for each score key of the run, in order of first appearance. */
  readonly scoreChips: readonly ScoreChip[];
  /** What summaries need of every result, by index. */
  readonly rows: readonly RowFacts[];
  /** Every result in order of index, or those at `indices`, in the order given. */
  entries(indices?: readonly number[]): AsyncIterable<IndexedEntry>;
}
