import type { Correction, Json, JsonObject, ResultStatus } from '../../src/model/result.js';
import type { Score } from '../../src/model/scores/score.js';

/** A run as everybody sees it, once nobody holds it. */
export interface Picture {
  readonly head: Readonly<Record<string, unknown>>;
  readonly results: readonly Readonly<Record<string, unknown>>[];
  /** Earlier attempts of each result, newest first. */
  readonly attempts: readonly (readonly Readonly<Record<string, unknown>>[])[];
  readonly selectedTotal: number;
}

type Line = Readonly<Record<string, Json>> & { readonly type: string };

interface BookRow {
  readonly plan: Readonly<Record<string, Json>>;
  readonly status: ResultStatus;
  readonly output: Json;
  readonly scores: readonly Score[];
  readonly error: string | null;
  readonly latency: number | null;
  readonly trace_data: JsonObject;
  /** What the evaluation made of the planned one. */
  readonly metadata: JsonObject | undefined;
  readonly regradable: boolean;
  readonly annotation: string;
  readonly history: readonly Correction[];
  readonly attempts: readonly Readonly<Record<string, unknown>>[];
  readonly finishedAt: string;
  /** The attempt that counts, where a newer one repeats it. */
  readonly counted: BookRow | undefined;
  readonly noDraw: boolean;
}

const cleared = {
  output: null,
  scores: [],
  error: null,
  latency: null,
  trace_data: {},
  metadata: undefined,
  regradable: false,
  noDraw: false,
} as const;

/** What the lines of a log add up to by the words of docs/file-format.md, in as few steps as they allow. */
export function readByTheBook(texts: readonly string[]): Picture | undefined {
  const lines = texts.map((text) => JSON.parse(text) as Line);
  const first = lines.find((line) => line.type === 'run');
  if (first === undefined) return undefined;
  const rows: BookRow[] = [];
  let head: Line = first;
  let isStarted = false;
  let selectedTotal = 0;
  let changedAt: string | undefined;
  for (const line of lines) {
    if (line.type === 'scheduled') {
      isStarted = true;
      selectedTotal = rowsOf(line, rows.length).length;
      if (line.created_at_ms !== undefined) head = { ...head, created_at_ms: line.created_at_ms };
    }
    if (line.at !== undefined && line.type !== 'closed') changedAt = line.at as string;
    if (line.type === 'renamed') head = { ...head, run_name: line.run_name as string };
    if (line.type === 'planned') {
      const index = line.index as number;
      while (rows.length <= index) rows.push(unreadable(rows.length));
    }
    for (const index of rowsOf(line, rows.length)) {
      const row = rows[index];
      if (row !== undefined) rows[index] = counting(row, line, index, rows.length);
    }
  }
  return {
    head: { ...headOf(first, head, changedAt), ...totalsOf(rows), state: stateOf(rows, isStarted) },
    results: rows.map(resultOf),
    attempts: rows.map((row) => row.attempts),
    selectedTotal,
  };
}

function rowsOf({ index, rows }: Line, total: number): number[] {
  if (typeof index === 'number') return [index];
  const all = Array.from({ length: total }, (_, at) => at);
  if (rows === 'all') return all;
  const ranges = (rows ?? []) as readonly (readonly [number, number])[];
  return all.filter((at) => ranges.some(([from, to]) => from <= at && at <= to));
}

function unreadable(index: number): BookRow {
  const plan = {
    id: `unreadable::row-${index}`,
    function: `row-${index}`,
    dataset: 'unreadable',
    labels: [],
    input: null,
    reference: null,
    metadata: {},
  };
  return {
    ...cleared,
    plan,
    status: 'not_started',
    annotation: '',
    history: [],
    attempts: [],
    finishedAt: '',
    counted: undefined,
  };
}

/** A row after a line, with what counts of it. */
function counting(row: BookRow, line: Line, index: number, total: number): BookRow {
  if (line.attempt === 'counted') {
    return row.counted === undefined ? row : { ...row, counted: after(row.counted, line) };
  }
  const runsAgain = line.type === 'scheduled' && line.kind !== 'regrade';
  const begins = runsAgain
    ? rowsOf({ type: '', rows: line.new_pass ?? [] }, total).includes(index)
    : line.type === 'regraded' && line.pass === true;
  const repeats =
    runsAgain || line.type === 'regraded' || (line.type === 'imported' && line.repeat === true);
  const isDraw = (row.status === 'completed' || row.status === 'error') && !row.noDraw;
  const before = row.counted ?? (repeats && isDraw ? row : undefined);
  return { ...after(row, line), counted: begins ? undefined : before };
}

function after(row: BookRow, line: Line): BookRow {
  // Lines are written by the store; what they hold is checked by its own tests.
  const given = line as unknown as BookRow & { at: string; correction_history: Correction[] };
  switch (line.type) {
    case 'planned':
      return { ...row, plan: line };
    case 'scheduled':
      return line.kind === 'regrade' ? row : pending(row);
    case 'cancelled':
      return row.status === 'pending' ? { ...row, status: 'cancelled' } : row;
    case 'finished': {
      const { status, output, error, latency, trace_data, metadata, regradable = false } = given;
      const scores = withHuman(given.scores, row.scores);
      const done = { status, output, error, latency, trace_data, regradable, metadata, scores };
      return { ...row, ...done, noDraw: line.no_draw === true, finishedAt: given.at };
    }
    case 'regraded': {
      const scores = withHuman(given.scores, row.scores);
      const { status, error, metadata = row.metadata, trace_data = row.trace_data } = given;
      const graded = { ...row, status, error, metadata, trace_data, scores, noDraw: false };
      return withHistory(graded, 'scores', row.scores, scores, given.at);
    }
    case 'edited': {
      const { annotation, scores } = line as unknown as Record<string, { after: never }>;
      let edited = row;
      if (annotation !== undefined) {
        const changed = { ...edited, annotation: annotation.after };
        edited = withHistory(changed, 'annotation', row.annotation, annotation.after, given.at);
      }
      if (scores !== undefined) {
        const changed = { ...edited, scores: scores.after };
        edited = withHistory(changed, 'scores', row.scores, scores.after, given.at);
      }
      return edited;
    }
    case 'imported': {
      const { status, output, scores, error, latency, trace_data, regradable = false } = given;
      const { annotation, correction_history: history } = given;
      const noDraw = false;
      const all = { status, output, scores, error, latency, trace_data, regradable, noDraw };
      return { ...row, ...all, annotation, history, metadata: undefined, finishedAt: given.at };
    }
    default:
      return row;
  }
}

function pending(row: BookRow): BookRow {
  const { annotation: _, correction_history: __, ...attempt } = resultOf(row).result;
  const isFinished = row.status === 'completed' || row.status === 'error';
  return {
    ...row,
    ...cleared,
    status: 'pending',
    attempts: isFinished
      ? [{ ...attempt, finished_at: row.finishedAt }, ...row.attempts]
      : row.attempts,
  };
}

function withHuman(machine: readonly Score[], before: readonly Score[]): Score[] {
  const human = before.filter((score) => score.source === 'human');
  const byKey = (scores: readonly Score[], { key }: Score) => scores.find((one) => one.key === key);
  return [
    ...machine.map((score) => byKey(human, score) ?? score),
    ...human.filter((score) => byKey(machine, score) === undefined),
  ];
}

function withHistory(
  row: BookRow,
  field: Correction['field'],
  before: Correction['before'],
  after: Correction['after'],
  timestamp: string,
): BookRow {
  if (JSON.stringify(before) === JSON.stringify(after)) return row;
  return { ...row, history: [...row.history, { field, before, after, timestamp }] };
}

function resultOf(row: BookRow) {
  const { id, function: name, dataset, labels, trial, trial_of } = row.plan;
  return {
    id,
    function: name,
    dataset,
    labels,
    ...(trial === undefined ? {} : { trial }),
    ...(trial_of === undefined ? {} : { trial_of }),
    ...(row.regradable ? { regradable: true } : {}),
    ...(row.counted && { counted: countedOf(row.counted) }),
    result: {
      input: row.plan.input,
      output: row.output,
      reference: row.plan.reference,
      scores: row.scores,
      error: row.error,
      latency: row.latency,
      metadata: row.metadata ?? row.plan.metadata,
      trace_data: row.trace_data,
      status: row.status,
      annotation: row.annotation,
      correction_history: row.history,
    },
  };
}

function countedOf({ status, output, scores, error, latency, regradable, history }: BookRow) {
  const rescored = history.filter(({ field }) => field === 'scores');
  const changes = rescored.length === 0 ? {} : { correction_history: rescored };
  return { status, output, scores, error, latency, ...changes, regradable };
}

function headOf(
  first: Line,
  line: Line,
  changedAt: string | undefined,
): Readonly<Record<string, unknown>> {
  const { run_id, session_name, run_name, path, config_name, created_at_ms } = line;
  const seconds = (milliseconds: unknown) => Math.floor((milliseconds as number) / 1000);
  const created_at = seconds(created_at_ms);
  const started_at = seconds(first.started_at_ms ?? first.created_at_ms);
  const updated_at = seconds(changedAt === undefined ? created_at_ms : Date.parse(changedAt));
  return { run_id, session_name, run_name, path, config_name, created_at, started_at, updated_at };
}

function totalsOf(rows: readonly BookRow[]): Readonly<Record<string, number>> {
  const passes = ({ status, scores }: BookRow) =>
    status === 'completed' &&
    scores.some((score) => score.passed === true) &&
    scores.every((score) => score.passed !== false);
  return {
    total_evaluations: rows.length,
    total_passed: rows.filter(passes).length,
    total_errors: rows.filter((row) => row.status === 'error').length,
    total_with_scores: rows.filter((row) => row.scores.length > 0).length,
  };
}

function stateOf(rows: readonly BookRow[], isStarted: boolean): string {
  if (!isStarted) return 'not_started';
  return rows.some((row) => row.status === 'pending') ? 'interrupted' : 'finished';
}
