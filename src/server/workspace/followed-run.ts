import type {
  CodeVersion,
  CountedSummary,
  RunState,
  RunTotals,
  TrialFields,
} from '../../model/run.js';
import type { ScoreChip } from '../../model/scores/score.js';
import type { PassRate } from '../../model/summary/pass-rate.js';
import type { Row } from '../../store/replay/run-index.js';
import type { StoredRun } from '../../store/stored-run.js';

/** The data of a `run` event. */
export interface RunChange extends RunTotals, Partial<TrialFields> {
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  readonly config_name: string;
  /** Unix seconds; when the run last started. */
  readonly timestamp: number;
  /** Unix seconds; when the run first began, and when anything in it last changed. */
  readonly started_at: number;
  readonly updated_at: number;
  readonly code_versions?: readonly CodeVersion[];
  readonly state: RunState;
  /** It is the active run. */
  readonly active: boolean;
  /** It is the active run, and paused. */
  readonly is_paused: boolean;
  /** Number of results in the current or last execution. */
  readonly selected_total: number;
  /** Number of pending and running results. */
  readonly unfinished: number;
  readonly score_chips: readonly ScoreChip[];
  readonly summary: CountedSummary;
  /** `null` when nothing has a verdict or is an error. */
  readonly pass_rate: PassRate | null;
  /** The number of changed results that no `results` event lists; clients have to read them again. */
  readonly unlisted_results: number;
}

/** The state of a run that is not stored with it. */
export interface RunStanding {
  readonly isActive: boolean;
  readonly isPaused: boolean;
}

/** The changes of a run since the last look. */
export interface RunDifference {
  readonly summary: Omit<RunChange, 'unlisted_results'>;
  readonly hasNewSummary: boolean;
  /** Indices of changed rows, at most `mostIndices`. */
  readonly indices: readonly number[];
  /** Number of changed rows. */
  readonly changed: number;
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

  /** Compares the run with its state at the last check. */
  compare(standing: RunStanding): RunDifference {
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

  #summarise({ isActive, isPaused }: RunStanding): RunDifference['summary'] {
    const { path: _, created_at, ...head } = this.run.head();
    const { score_chips, pass_rate } = this.run.summary();
    return {
      ...head,
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

/** The parts of a summary that cause an event. Changed rows have their own event. */
function newsOf({ updated_at: _, ...summary }: RunDifference['summary']): string {
  return JSON.stringify(summary);
}

/** True for a row that is to run, or runs. */
export function isGoing({ status, pruned }: Row): boolean {
  return status === 'running' || (status === 'pending' && pruned !== true);
}
