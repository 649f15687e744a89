import { mergeHumanScores, type Score } from '../../src/model/scores/score.js';

/** Positions of the results of every run; `plain` has no target, and every other call of `c` fails. */
export const functions = ['gated[a]', 'gated[b]', 'gated[c]', 'plain'] as const;
export const atOnce = 2;

export interface ModelRow {
  readonly status: 'not_started' | 'pending' | 'running' | 'completed' | 'error' | 'cancelled';
  readonly output: string | null;
  readonly scores: readonly Score[];
  readonly annotation: string;
  /** Fields of the correction history. */
  readonly history: readonly string[];
  readonly attempts: number;
  readonly regradable: boolean;
}

export interface ModelRun {
  readonly id: string;
  /** Unknown while it is one that the server has made up. */
  name: string | undefined;
  config: string;
  rows: ModelRow[];
  /** How many results the last execution was asked to run. */
  selected: number;
}

export interface ModelExecution {
  readonly run: ModelRun;
  readonly kind: 'run' | 'regrade';
  /** Rows that have not come to an end, in their order; the first ones run. */
  left: number[];
  /** How many of them run. */
  running: number;
  isPaused: boolean;
}

const untouched: ModelRow = {
  status: 'not_started',
  output: null,
  scores: [],
  annotation: '',
  history: [],
  attempts: 0,
  regradable: false,
};

/** What section 3 of the contract says a server is like, with none of the work that evaluating is. */
export class WorkspaceModel {
  readonly saved = new Map<string, ModelRun>();
  active: ModelRun;
  /** The not-started run; `unseen` when there is one that nobody has looked at. */
  draft: ModelRun | 'unseen' | undefined;
  execution: ModelExecution | undefined;
  pendingName: string | undefined;
  selectedConfig = 'default';
  /** The value that grading gives now. */
  level = 1;
  /** How often each function was called. */
  readonly #calls = functions.map(() => 0);

  constructor(draftId: string, name: string) {
    this.active = this.makeRun(draftId, name);
    this.draft = this.active;
  }

  makeRun(id: string, name: string | undefined, config = this.selectedConfig): ModelRun {
    return { id, name, config, rows: functions.map(() => untouched), selected: 0 };
  }

  isDraft(run: ModelRun): boolean {
    return this.draft === run;
  }

  stateOf(run: ModelRun): string {
    if (this.execution?.run === run) return this.execution.isPaused ? 'paused' : 'running';
    if (this.isDraft(run)) return 'not_started';
    return run.rows.some(({ status }) => status === 'pending') ? 'interrupted' : 'finished';
  }

  /** The not-started run starts, or one that was made of it: there is none any more. */
  dropDraft(): void {
    if (this.draft !== undefined) this.pendingName = undefined;
    this.draft = undefined;
  }

  /** Chooses the run config of the next run, which the not-started one is. */
  select(config: string): void {
    this.selectedConfig = config;
    if (typeof this.draft === 'object') this.draft.config = config;
  }

  /** A saved run is gone; a not-started one takes its place when it was the active one. */
  forget(run: ModelRun, nextId: string): void {
    this.saved.delete(run.id);
    if (run !== this.active) return;
    this.active =
      typeof this.draft === 'object' ? this.draft : this.makeRun(nextId, this.pendingName);
    this.draft = this.active;
  }

  /** Rows are scheduled to run. */
  run(run: ModelRun, indices: readonly number[]): void {
    this.saved.set(run.id, run);
    run.rows = run.rows.map((row, index) => (indices.includes(index) ? cleared(row) : row));
    this.#begin(run, 'run', indices);
  }

  /** Rows that are graded again; none when there is nothing to grade. */
  regrade(run: ModelRun, indices: readonly number[]): { regraded: number; skipped: number } {
    const finished = indices.filter((index) => isFinished(run.rows[index]));
    const graded = finished.filter((index) => run.rows[index]?.regradable === true);
    const plain = finished.filter((index) => functions[index] === 'plain');
    if (graded.length > 0) this.#begin(run, 'regrade', graded);
    return { regraded: graded.length, skipped: plain.length };
  }

  /** The first of what runs comes to its end. */
  finishOne(): void {
    const { execution } = this;
    const index = execution?.left.shift();
    if (execution === undefined || index === undefined) return;
    execution.running -= 1;
    const { run, kind } = execution;
    run.rows = run.rows.map((row, at) => {
      if (at !== index) return row;
      return kind === 'run' ? this.#finished(row, index) : this.#regraded(row);
    });
    this.#startMore();
  }

  pause(isPaused: boolean): void {
    if (this.execution === undefined) return;
    this.execution.isPaused = isPaused;
    this.#startMore();
  }

  /** Everything that has not finished is cancelled; answers with how many results that are. */
  stop(): number {
    const { execution } = this;
    const run = execution?.run ?? this.active;
    const left = execution?.left ?? pendingOf(run);
    this.execution = undefined;
    if (execution?.kind !== 'regrade') {
      run.rows = run.rows.map((row, at) =>
        left.includes(at) ? { ...row, status: 'cancelled' } : row,
      );
    }
    return left.length;
  }

  edit(run: ModelRun, index: number, change: { annotation?: string; scores?: Score[] }): void {
    run.rows = run.rows.map((row, at) => (at === index ? edited(row, change) : row));
  }

  /** A copy of a run as it would be found if this moment was the last of the process that runs it. */
  crashed(run: ModelRun, id: string): void {
    const rows = run.rows.map(
      (row): ModelRow => (row.status === 'running' ? { ...row, status: 'pending' } : row),
    );
    this.saved.set(id, { ...run, id, rows });
  }

  /** Number of the call that a row runs in. */
  callOf(index: number): number {
    return this.#calls[index] ?? 0;
  }

  #begin(run: ModelRun, kind: ModelExecution['kind'], indices: readonly number[]): void {
    run.selected = indices.length;
    this.execution = { run, kind, left: [...indices], running: 0, isPaused: false };
    this.#startMore();
  }

  #startMore(): void {
    const { execution } = this;
    if (execution === undefined) return;
    const { run, kind, left } = execution;
    if (left.length === 0) this.execution = undefined;
    const most = execution.isPaused ? execution.running : Math.min(atOnce, left.length);
    for (const index of left.slice(execution.running, most)) {
      if (kind === 'regrade') continue;
      this.#calls[index] = this.callOf(index) + 1;
      run.rows = run.rows.map((row, at) => (at === index ? { ...row, status: 'running' } : row));
    }
    execution.running = Math.max(execution.running, most);
  }

  #finished(row: ModelRow, index: number): ModelRow {
    const call = this.callOf(index);
    const name = functions[index] ?? '';
    if (name === 'gated[c]' && call % 2 === 1) return { ...row, status: 'error' };
    const isPlain = name === 'plain';
    const machine: Score[] = isPlain
      ? [{ key: 'correctness', passed: true }]
      : [{ key: 'good', value: this.level }];
    const scores = mergeHumanScores(machine, row.scores);
    return { ...row, status: 'completed', output: `${name} ${call}`, scores, regradable: !isPlain };
  }

  #regraded(row: ModelRow): ModelRow {
    const scores = mergeHumanScores([{ key: 'good', value: this.level }], row.scores);
    return { ...withScores(row, scores), status: 'completed' };
  }
}

export function pendingOf({ rows }: ModelRun): number[] {
  return [...rows.keys()].filter((index) => rows[index]?.status === 'pending');
}

function isFinished(row: ModelRow | undefined): boolean {
  return row?.status === 'completed' || row?.status === 'error';
}

function cleared(row: ModelRow): ModelRow {
  const { annotation, history, attempts } = row;
  return {
    ...untouched,
    status: 'pending',
    annotation,
    history,
    attempts: attempts + (isFinished(row) ? 1 : 0),
  };
}

function edited(
  row: ModelRow,
  { annotation = row.annotation, scores }: { annotation?: string; scores?: Score[] },
): ModelRow {
  const history = annotation === row.annotation ? row.history : [...row.history, 'annotation'];
  const annotated = { ...row, annotation, history };
  if (scores === undefined) return annotated;
  const after = scores.map((score): Score => {
    const { source: _, ...grade } = score;
    const known = row.scores.find((one) => sameGrade(one, grade));
    return known ?? { ...grade, source: 'human' };
  });
  return withScores(annotated, after);
}

function sameGrade({ source: _, ...one }: Score, grade: Score): boolean {
  return JSON.stringify(one) === JSON.stringify(grade);
}

function withScores(row: ModelRow, scores: readonly Score[]): ModelRow {
  if (JSON.stringify(row.scores) === JSON.stringify(scores)) return row;
  return { ...row, scores, history: [...row.history, 'scores'] };
}
