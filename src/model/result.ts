import type { Call, Span } from './calls/model-call.js';
import { isUsage, type Usage } from './calls/usage.js';
import {
  isCount,
  isJson,
  isJsonObject,
  isNumber,
  isStrings,
  isTimeText,
  type Json,
} from './json.js';
import { isKeptValues } from './kept-values.js';
import type { Score, ScoreFacts } from './scores/score.js';
import { isGrading, isScores } from './scores/score-shape.js';
import {
  type Fitting,
  isFlag,
  isText,
  listOf,
  named,
  nullOr,
  object,
  oneOf,
  only,
  optional,
  type Shape,
  variants,
} from './shapes.js';

export type { Json, JsonObject } from './json.js';

export const resultStatuses = [
  'not_started',
  'pending',
  'running',
  'completed',
  'error',
  'cancelled',
] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/** One change of a result by a person, or one set of scores replaced by a regrade. */
export interface Correction {
  readonly field: 'annotation' | 'scores';
  readonly before: Json | readonly Score[];
  readonly after: Json | readonly Score[];
  /** RFC 3339, UTC, with milliseconds. */
  readonly timestamp: string;
}

export const isCorrection: Shape<Correction> = variants('field', {
  annotation: object({ before: isJson, after: isJson, timestamp: isText }),
  scores: object({ before: isScores, after: isScores, timestamp: isText }),
});

/** How a result may come from another run. */
export const originKinds = ['carried', 'regraded'] as const;

export const isOrigin = object({
  run_id: isText,
  run_name: isText,
  /** `carried` over as it was, or `regraded`: its output was graded again. */
  kind: oneOf(...originKinds),
});

/** The run that a result comes from. */
export interface Origin extends Fitting<typeof isOrigin> {}

const usageOfCalls = optional(named('the usage of calls', isUsage));

/** What an attempt gave. */
const outcome = {
  input: isJson,
  output: isJson,
  reference: isJson,
  scores: isGrading,
  error: nullOr(isText),
  /** Seconds; `null` until known. */
  latency: nullOr(isNumber),
  /** Start time: RFC 3339, UTC, with milliseconds; absent if unknown. */
  started_at: optional(isTimeText),
  metadata: isJsonObject,
  trace_data: isJsonObject,
  status: oneOf(...resultStatuses),
};

/** How an attempt came about. */
const provenance = {
  /** Hash of the project's modules that ran it, or graded it last, and of what the run config gave them; absent if unknown. */
  code: optional(isText),
  /** Only if its output comes from another run. */
  origin: optional(named('the run that it comes from', isOrigin)),
  /** Why it ran, or was graded again, where only what has changed was to: `prompts/refund.md`. */
  reason: optional(isText),
};

export const resultFields = {
  ...outcome,
  /** The metadata of the case, where the attempt has set others; absent if not. */
  authored_metadata: optional(isJsonObject),
  annotation: isText,
  correction_history: listOf(isCorrection),
  ...provenance,
  /** Only when true: it ran to verify the result that counts, which was carried over. */
  verifies: optional(isFlag),
  /** Usage of its HTTP calls; absent without calls. */
  usage: usageOfCalls,
  /** What its earlier attempts and gradings spent in this run; absent for nothing. */
  replaced_usage: usageOfCalls,
};
const isResult = object(resultFields);

/** One evaluation, or one trial of it, in a run. */
export interface Result extends Fitting<typeof isResult> {
  /** Seconds in which its calls were held, which `latency` leaves out; where its calls are, and absent for none. */
  readonly waited?: number | undefined;
  /** Its calls; only if requested. */
  readonly calls?: readonly Call[] | undefined;
  /** The tools that ran in it, and spans of the app's OpenTelemetry; only beside its calls, and absent for none. */
  readonly spans?: readonly Span[] | undefined;
}

const attemptFields = {
  ...outcome,
  ...provenance,
  usage: usageOfCalls,
  /** End time: RFC 3339, UTC, with milliseconds. */
  finished_at: isTimeText,
};
const isAttempt = object(attemptFields);

/** An earlier finished attempt of a row. */
export interface EarlierAttempt extends Fitting<typeof isAttempt> {}

export const rowIdentity = {
  /** `<file>::<function>`, with `~<trial>` for a trial. Compare it whole; {@link fileOf} takes the file from it. */
  id: isText,
  function: isText,
  dataset: isText,
  labels: isStrings,
  /** From 1; only when the evaluation was planned with more than one trial. */
  trial: optional(isCount),
  /** Id without the trial; present with `trial`. */
  trial_of: optional(isText),
  /** What its case shares with others, `document=handbook`, so that all are one unit; absent without `cluster`. */
  cluster: optional(isText),
};
const isRowIdentity = object(rowIdentity);

/** Identity of a row, the same in plans, logs, exports and API responses. */
export interface RowIdentity extends Fitting<typeof isRowIdentity> {}

/** The identity of a row alone, without absent fields. */
export function identityOf(row: RowIdentity): RowIdentity {
  return only(rowIdentity, row);
}

/** How the values of an attempt are stored. */
const storedAs = {
  /** Only when true: its values are not stored as they were, so that grading them again could say something else. */
  inexact: optional(isFlag),
  /** Why: `getters: .text`. */
  inexact_because: optional(isText),
  /** What JSON does not keep of its values; only for exports and for hosts. */
  kept: optional(named('values as they were', isKeptValues)),
  /** Keys of scores that it had before its stored form was graded again; absent for none. */
  lost_scores: optional(isStrings),
  /** Only when true: it completed a pass with other code, params or files than it began with. */
  other_code: optional(isFlag),
};

function isFinishedStatus(value: unknown): value is ResultStatus {
  return value === 'completed' || value === 'error';
}

const countedFields = {
  status: named('completed or error, since it counts', isFinishedStatus),
  output: isJson,
  scores: outcome.scores,
  error: outcome.error,
  latency: outcome.latency,
  /** Changes of its scores; absent for none. */
  correction_history: optional(listOf(isCorrection)),
  started_at: outcome.started_at,
  /** Its target has finished; absent in files of before there was this field. */
  regradable: optional(isFlag),
  code: provenance.code,
  ...storedAs,
};
const isCounted = object(countedFields);

/** The attempt of a row in the last pass of its evaluation: what rates, gates and comparisons are over. */
export interface CountedAttempt extends Fitting<typeof isCounted> {}

/** The part of a result that a counted attempt shows. */
export function countedAttempt({ result, ...entry }: ResultEntry): CountedAttempt {
  const history = result.correction_history.filter(({ field }) => field === 'scores');
  return only(countedFields, {
    ...entry,
    ...result,
    correction_history: history.length > 0 ? history : undefined,
    regradable: entry.regradable === true,
  });
}

/** Fields of {@link ResultEntry} beside its result. */
export const entryFields = {
  ...rowIdentity,
  /** Only when true: the target has finished, so the stored output can be graded again. */
  regradable: optional(isFlag),
  ...storedAs,
  /** Only when true: a regrade left it with its former grade. */
  former_grade: optional(isFlag),
  /** Only when true: its evaluation was gone when it was left out of rates, counts and gates. */
  pruned: optional(isFlag),
  /** Only when true: its evaluation was gone when others of the run were to run again. */
  gone: optional(isFlag),
  /** Only if the result is a repeat: the attempt that counts in its place. */
  counted: optional(isCounted),
};
const isEntry = object(entryFields);

/** One row of a run; its position in the run is its `index`. */
export interface ResultEntry extends Fitting<typeof isEntry> {
  readonly result: Result;
}

/** An entry as pages and answers show it: what is kept for hosts and for imports is left out. */
export function withoutKept({ kept: _, counted, result: whole, ...identity }: ResultEntry) {
  const { authored_metadata: __, ...result } = whole;
  if (counted === undefined) return { ...identity, result };
  const { kept: ___, ...shown } = counted;
  return { ...identity, counted: shown, result };
}

/** The entry with the attempt that counts in place of a repeat. Only the newest attempt says what its calls used. */
export function asCounted({ counted, ...entry }: ResultEntry): ResultEntry {
  if (counted === undefined) return entry;
  const { regradable = entry.regradable, correction_history = [], started_at, code } = counted;
  const { status, output, scores, error, latency } = counted;
  const { former_grade, pruned } = entry;
  const attempt = { status, output, scores, error, latency, correction_history, started_at, code };
  return {
    ...only(entryFields, {
      ...{ ...identityOf(entry), ...only(storedAs, counted) },
      ...{ regradable, former_grade, pruned },
    }),
    result: { ...entry.result, ...attempt },
  };
}

/** The part of a row that selections and summaries need; holding 100,000 of these is cheap. */
export interface RowFacts extends RowIdentity {
  /** `<file>::<name>` of the evaluation, the same for all its cases and trials. */
  readonly evaluation: string;
  readonly status: ResultStatus;
  readonly latency: number | null;
  readonly scores: readonly ScoreFacts[];
  /** See `outputHash`; absent without an output, or if unknown. */
  readonly outputHash?: string | undefined;
  /** Hash of the code that ran it, or graded it last; absent if unknown. */
  readonly code?: string | undefined;
  /** Only if its output comes from another run. */
  readonly origin?: Origin | undefined;
  /** How often the row was to run, this time included; absent outside of a log. */
  readonly attempt?: number;
  /** When its attempt began, in Unix milliseconds; absent if unknown. */
  readonly startedAt?: number | undefined;
  /** Usage of its calls; absent without calls. */
  readonly usage?: Usage | undefined;
  /** What its earlier attempts and gradings spent in this run; absent for nothing. */
  readonly replaced_usage?: Usage | undefined;
  /** Of two finished rows of a run, the one that finished, or was graded, later has the greater number. */
  readonly finished?: number | undefined;
  /** Its evaluation is gone: it counts for nothing but its place. */
  readonly pruned?: boolean | undefined;
  /** Its evaluation was gone when others of the run were to run again. */
  readonly gone?: boolean | undefined;
  /** A regrade left it with its former grade, since its values are not stored as they were. */
  readonly hasFormerGrade?: boolean | undefined;
  /** It completed a pass with other code, params or files than it began with. */
  readonly otherCode?: boolean | undefined;
  /** Keys of scores that it had before its stored form was graded again; absent for none. */
  readonly lostScores?: readonly string[] | undefined;
  /** The scores before the same code graded it again; absent where it was not graded again, or by other code. */
  readonly scoresBefore?: readonly ScoreFacts[] | undefined;
  /** It ended for a reason outside of the evaluation, such as a model that could not be reached: no draw. */
  readonly noDraw?: boolean | undefined;
  /** It ran to verify the attempt that counts, which was carried over; `replaced`: an earlier attempt did. */
  readonly verifies?: boolean | 'replaced' | undefined;
  /** The attempt of the last pass, if this one only repeats it. See {@link countedOf}. */
  readonly counted?: RowFacts | undefined;
}

/** The attempt of a row that rates, gates and comparisons are over: that of the last pass, not of a repeat. */
export function countedOf<R extends RowFacts & { readonly counted?: R | undefined }>(row: R): R {
  return row.counted ?? row;
}

/** What a regrade keeps of an attempt. */
const ofAttempt = ['attempt', 'startedAt', 'outputHash', 'latency'] as const;

/** True for a row whose attempt that counts is not the newest one, and not only another grade of it. */
export function hasOtherAttempt(row: RowFacts): boolean {
  const { counted } = row;
  return counted !== undefined && ofAttempt.some((name) => counted[name] !== row[name]);
}

/** True for an attempt that ended by itself; running its row again is a second draw. */
export function isDraw(row: Pick<RowFacts, 'status' | 'noDraw'>): boolean {
  return isFinished(row) && row.noDraw !== true;
}

/** The id of the case that a row is a trial of; without trials its own id. */
export function caseIdOf(row: Pick<RowIdentity, 'id' | 'trial_of'>): string {
  return row.trial_of ?? row.id;
}

/** The eval file of a row, relative to the folder of its run; the part of its id before the name. */
export function fileOf(row: Pick<RowFacts, 'id' | 'trial_of' | 'function'>): string {
  const id = caseIdOf(row);
  const end = `::${row.function}`;
  return id.endsWith(end) ? id.slice(0, -end.length) : (id.split('::', 1)[0] ?? id);
}

/** A result passes when it completed, something judged it and nothing judged it failed. */
export function passes(row: Pick<RowFacts, 'status' | 'scores'>): boolean {
  return (
    row.status === 'completed' && hasVerdict(row) && row.scores.every((s) => s.passed !== false)
  );
}

/** A result has a verdict when it completed with at least one score that passed or failed. */
export function hasVerdict(row: Pick<RowFacts, 'status' | 'scores'>): boolean {
  return row.status === 'completed' && row.scores.some((s) => s.passed !== undefined);
}

/** True for results that ran to an end, good or bad. */
export function isFinished(row: Pick<RowFacts, 'status'>): boolean {
  return row.status === 'completed' || row.status === 'error';
}

/** True for results that were asked to run and have not come to an end. */
export function isUnfinished(row: Pick<RowFacts, 'status'>): boolean {
  return row.status === 'pending' || row.status === 'running' || row.status === 'cancelled';
}
