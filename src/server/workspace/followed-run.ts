import type { Row } from '../../store/replay/run-index.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The state of a run that is not stored with it. */
export interface RunStanding {
  readonly isActive: boolean;
  readonly isPaused: boolean;
}

/** More rows than this are counted, not named. */
export const mostIndices = 200;

/** A run with its state at the last check, which is empty at first. */
export class FollowedRun {
  readonly run: StoredRun;
  readonly #rows: Row[] = [];
  #version = '';
  #unfinished = 0;
  #summary = '';

  constructor(run: StoredRun) {
    this.run = run;
  }

  /** Takes the rows as known. */
  skipRows(): void {
    this.#compareRows();
  }

  /** True when `compare` would find a difference. */
  isBehind(standing: RunStanding): boolean {
    if (this.run.version !== this.#version) return true;
    return newsOf(this.#summarise(standing)) !== this.#summary;
  }

  /**
   * Compares the run with its state at the last check. `indices` are those of changed rows, at most `mostIndices`;
   * `changed` is their number.
   */
  compare(standing: RunStanding) {
    const { indices, changed } = this.#compareRows();
    const summary = this.#summarise(standing);
    const text = newsOf(summary);
    const hasNewSummary = text !== this.#summary;
    this.#summary = text;
    return { summary, hasNewSummary, indices, changed };
  }

  #compareRows(): { readonly indices: readonly number[]; readonly changed: number } {
    const { version, rows } = this.run;
    const indices: number[] = [];
    if (version === this.#version) return { indices, changed: 0 };
    // A run that is read again from the start may have fewer rows for a while.
    let changed = Math.max(0, this.#rows.length - rows.length);
    this.#rows.length = Math.min(this.#rows.length, rows.length);
    let unfinished = 0;
    for (const [index, row] of rows.entries()) {
      if (isGoing(row)) unfinished += 1;
      if (this.#rows[index] === row) continue;
      this.#rows[index] = row;
      changed += 1;
      if (changed <= mostIndices) indices.push(index);
    }
    this.#version = version;
    this.#unfinished = unfinished;
    return { indices, changed };
  }

  #summarise({ isActive, isPaused }: RunStanding) {
    const { path: _, created_at, ...head } = this.run.head();
    const { score_chips, pass_rate } = this.run.summary();
    return {
      ...head,
      /** Unix seconds; when the run last started. */
      timestamp: created_at,
      active: isActive,
      is_paused: isActive && isPaused,
      selected_total: this.run.selectedTotal,
      unfinished: this.#unfinished,
      score_chips,
      pass_rate,
    };
  }
}

/** The data of a `run` event. */
export type RunChange = ReturnType<FollowedRun['compare']>['summary'] & {
  /** The number of changed results that no `results` event lists; clients have to read them again. */
  readonly unlisted_results: number;
};

/** The parts of a summary that cause an event. Changed rows have their own event. */
function newsOf({ updated_at: _, ...summary }: { readonly updated_at: number }): string {
  return JSON.stringify(summary);
}

/** True for a row that is to run, or runs. */
export function isGoing({ status, pruned }: Row): boolean {
  return status === 'running' || (status === 'pending' && pruned !== true);
}
