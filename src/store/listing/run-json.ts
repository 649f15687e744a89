import { dirname } from 'node:path';
import { lookAt } from '../../files/regular-file.js';
import { replaceFile } from '../../files/replace-file.js';
import { isRunUsage, type RunUsage } from '../../model/calls/run-usage.js';
import {
  isCount,
  isJsonObject,
  isNumber,
  isObject,
  isStrings,
  parseStoredJson,
} from '../../model/json.js';
import { countedOf, isUnfinished, type JsonObject, type RowFacts } from '../../model/result.js';
import {
  type CodeVersion,
  type CountedSummary,
  type GradingNoise,
  type Mixed,
  placeFields,
  type Repeats,
  type RunPlace,
  type RunState,
  type RunSummary,
  type RunTotals,
  runPlaceOf,
  runStates,
  type TrialFields,
} from '../../model/run.js';
import { type ScoreChip, withoutIntervals } from '../../model/scores/score.js';
import { isDeclaredScale } from '../../model/scores/score-limits.js';
import {
  both,
  isText,
  isTrue,
  listOf,
  nullOr,
  object,
  oneOf,
  optional,
  variants,
} from '../../model/shapes.js';
import { isMerged, type Merged } from '../../model/shard.js';
import type { PassRate } from '../../model/summary/pass-rate.js';
import { type Summary, usageFigures } from '../../model/summary/summary.js';
import { isVerified, type Verified } from '../../model/summary/verified.js';
import { documentPath, fileMode, logPath } from '../folders.js';
import { formatVersion } from '../log/records.js';
import type { RunHeader } from '../replay/run-replay.js';
import { toStorageError } from '../storage-error.js';
import { type CaseSample, caseSample, isCaseSample } from './case-sample.js';

/** Passed results, and those that count towards the pass rate. */
type Verdicts = Pick<Summary['verdicts'], 'passed' | 'of'>;

/** `run.json`: the fields of a run that listings need. A cache of the log. */
export interface RunDocument extends RunTotals, RunPlace, Partial<TrialFields> {
  readonly format: number;
  readonly run_id: string;
  readonly session_name: string;
  readonly run_name: string;
  readonly created_at_ms: number;
  /** Absent in documents of before there was one; so is the next. */
  readonly started_at_ms?: number;
  readonly updated_at_ms?: number;
  readonly path: string;
  readonly config_name: string;
  readonly selection: JsonObject;
  readonly merged?: Merged;
  readonly state: RunState;
  readonly selected_total: number;
  readonly score_chips: readonly ScoreChip[];
  readonly verdicts: Verdicts;
  /** Absent in documents of before there was one. */
  readonly pass_rate?: PassRate | null;
  readonly code_versions?: readonly CodeVersion[];
  /** `null` for none; absent in documents whose rates are over the newest attempts. */
  readonly repeats?: Repeats | null;
  readonly verified?: Verified;
  readonly grading_noise?: readonly GradingNoise[];
  readonly mixed?: Mixed;
  readonly usage?: RunUsage;
  readonly unlisted_cost?: number;
  /** Its usage is that of all attempts; absent in documents of before it was. */
  readonly of_all_attempts?: true;
  /** Absent in documents of before there was one, whose usage has what was taken over in its sums. */
  readonly summary?: CountedSummary;
  /** Of its last execution; absent if unknown. */
  readonly commit?: string;
  /** The params in effect; `null` for none; absent in documents of before there were some. */
  readonly params?: JsonObject | null;
  /** Absent in documents of before there was one. */
  readonly comparable?: Comparable;
  /** Bytes of the log that this document covers. */
  readonly log_size: number;
}

/** What says which runs of a session are of the same kind. */
export interface Comparable {
  /** Hash of the params that its attempts that count ran with; absent if unknown, as in imported runs. */
  readonly params?: string;
  /** Results that were asked for and of which no attempt that counts has finished. */
  readonly unfinished: number;
  readonly cases: CaseSample;
}

/** What says which runs of a session are of the same kind, from the rows of one. */
export function comparableOf(rows: readonly RowFacts[], params: string | undefined): Comparable {
  const isOpen = (row: RowFacts) => row.pruned !== true && isUnfinished(countedOf(row));
  return {
    ...(params !== undefined && { params }),
    unfinished: rows.reduce((sum, row) => sum + Number(isOpen(row)), 0),
    cases: caseSample(rows),
  };
}

/** A run in a listing, with the fields that commands find and sort it by. */
export interface ListedRun extends RunSummary {
  readonly session_name: string;
  /** Unix milliseconds; when the run first began. */
  readonly started_at_ms: number;
  readonly path: string;
  /** The commit in which it last ran; absent if unknown. */
  readonly commit?: string;
  readonly merged?: Merged;
  /** Absolute path of the run folder. */
  readonly folder: string;
  readonly comparable: Comparable | undefined;
}

/** Changes whenever the log of a run grows. */
export function logVersion({ run_id, folder }: ListedRun): string {
  return `${run_id}:${lookAt(logPath(folder))?.size ?? 'gone'}`;
}

/** A listed run as listings answer it. */
export function toRunSummary(run: ListedRun): RunSummary {
  const { session_name: _, started_at_ms: __, path: ___, merged: ____, ...more } = run;
  const { folder: _____, comparable: ______, commit: _______, ...summary } = more;
  return summary;
}

/** The document of a run in memory. */
export function toDocument(
  header: RunHeader,
  summary: Summary,
  counted: CountedSummary,
  more: Pick<RunDocument, 'state' | 'selected_total' | 'log_size' | 'comparable'> & {
    readonly commit?: string | undefined;
    readonly params?: JsonObject | undefined;
    readonly updated_at_ms: number;
  },
): RunDocument {
  return {
    format: formatVersion,
    ...header,
    updated_at_ms: more.updated_at_ms,
    state: more.state,
    selected_total: more.selected_total,
    ...summary.totals,
    ...summary.trial_fields,
    score_chips: summary.score_chips,
    verdicts: { passed: summary.verdicts.passed, of: summary.verdicts.of },
    pass_rate: summary.pass_rate,
    ...(summary.code_versions && { code_versions: summary.code_versions }),
    repeats: summary.repeats ?? null,
    ...(summary.verified && { verified: summary.verified }),
    ...(summary.mixed && { mixed: summary.mixed }),
    ...(summary.grading_noise && { grading_noise: summary.grading_noise }),
    ...usageFigures(summary.usage),
    of_all_attempts: true,
    summary: counted,
    ...(more.commit !== undefined && { commit: more.commit }),
    params: more.params ?? null,
    ...(more.comparable && { comparable: more.comparable }),
    log_size: more.log_size,
  };
}

/** The document as the text of `run.json`. */
export function renderDocument(document: RunDocument): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Identity of a run, in the form of run JSON. */
export function headOf(header: RunHeader, updatedAtMs: number) {
  const { run_id, session_name, run_name, created_at_ms, started_at_ms } = header;
  const { path, config_name } = header;
  return {
    run_id,
    session_name,
    run_name,
    created_at: Math.floor(created_at_ms / 1000),
    started_at: Math.floor(started_at_ms / 1000),
    updated_at: Math.floor(updatedAtMs / 1000),
    path,
    config_name,
    ...runPlaceOf(header),
  };
}

/** True when the document says the same as the log, for a run that is not executed. */
export function covers(
  document: RunDocument,
  logSize: number,
): document is RunDocument & Required<Pick<RunDocument, 'summary'>> {
  // One of an older version lacks these: they are made from the log.
  const { started_at_ms, updated_at_ms, pass_rate, repeats, summary, comparable } = document;
  const { of_all_attempts: usage, params } = document;
  const counted = [pass_rate, repeats, summary, comparable, usage];
  const needed = [started_at_ms, updated_at_ms, params, ...counted];
  const isComplete = needed.every((one) => one !== undefined);
  return isComplete && isAtRest(document) && document.log_size === logSize;
}

/** True for a document that was not written while the run was executed. */
export function isAtRest({ state }: RunDocument): boolean {
  return state !== 'running' && state !== 'paused';
}

const hasText = { key: isText };
const isValues = object({
  avg: isNumber,
  count: isCount,
  passed: optional(isCount),
  judged: optional(isCount),
  percentiles: optional(object({ p50: isNumber, p95: isNumber })),
  threshold: optional(isNumber),
  scale: optional(isDeclaredScale),
  better: optional(oneOf('lower')),
});
const isChip = both(
  object(hasText),
  variants('type', { ratio: object({ passed: isCount, total: isCount }), avg: isValues }),
);
const isPassRate = object({
  ...{ passed: isCount, total: isCount, estimate: isNumber, low: isNumber, high: isNumber },
});
const isRepeats = object({
  ...{ results: isCount, passed: isCount, regraded: optional(isCount) },
  ...{ other_code: optional(isCount), of_older_version: optional(isTrue) },
});

/** What is read from a document. */
const isDocument = object({
  ...{ run_id: isText, session_name: isText, run_name: isText, path: isText, config_name: isText },
  ...{ format: isCount, log_size: isCount, selected_total: isCount },
  ...{ total_evaluations: isCount, total_functions: isCount, total_passed: isCount },
  ...{ total_errors: isCount, total_with_scores: isCount, total_pruned: optional(isCount) },
  created_at_ms: isNumber,
  started_at_ms: optional(isNumber),
  updated_at_ms: optional(isNumber),
  average_latency: isNumber,
  state: oneOf(...runStates),
  selection: isObject,
  ...placeFields,
  merged: optional(isMerged),
  score_chips: listOf(isChip),
  code_versions: optional(listOf(object({ results: isCount, codes: isStrings }))),
  repeats: optional(nullOr(isRepeats)),
  verified: optional(isVerified),
  mixed: optional(
    object({
      other_code: optional(isCount),
      former_grades: optional(isCount),
      gone: optional(isCount),
    }),
  ),
  grading_noise: optional(listOf(object({ ...hasText, differ: isCount, of: isCount }))),
  usage: optional(isRunUsage),
  unlisted_cost: optional(isNumber),
  summary: optional(object({ scores: listOf(isChip) })),
  commit: optional(isText),
  params: optional(nullOr(isJsonObject)),
  comparable: optional(
    object({ params: optional(isText), unfinished: isCount, cases: isCaseSample }),
  ),
  verdicts: object({ passed: isCount, of: isCount }),
  pass_rate: optional(nullOr(isPassRate)),
});

/** `run.json` as a document; `undefined` when it is none, or one of a newer format that lacks what we know. */
export function parseDocument(text: string): RunDocument | undefined {
  const value = parseStoredJson(text);
  // The check has looked at every field that is read from the document.
  return isDocument(value) ? (value as unknown as RunDocument) : undefined;
}

/** A run as listings show it. */
export function toListedRun(document: RunDocument, runId: string, folder: string): ListedRun {
  const { created_at_ms, started_at_ms = created_at_ms, updated_at_ms = created_at_ms } = document;
  return {
    run_id: runId,
    run_name: document.run_name,
    started_at: Math.floor(started_at_ms / 1000),
    updated_at: Math.floor(updated_at_ms / 1000),
    total_evaluations: document.total_evaluations,
    total_passed: document.total_passed,
    total_errors: document.total_errors,
    ...(document.total_pruned !== undefined && { total_pruned: document.total_pruned }),
    ...(document.code_versions && { code_versions: document.code_versions }),
    ...(document.repeats && { repeats: document.repeats }),
    state: document.state,
    config_name: document.config_name,
    score_chips: document.score_chips,
    ...(document.repeats &&
      document.summary && { counted_chips: document.summary.scores.map(withoutIntervals) }),
    timestamp: Math.floor(created_at_ms / 1000),
    session_name: document.session_name,
    started_at_ms,
    path: document.path,
    ...(document.commit !== undefined && { commit: document.commit }),
    ...(document.params && { params: document.params }),
    ...(document.merged && { merged: document.merged }),
    ...(document.group !== undefined && { group: document.group }),
    ...(document.group_runs && { group_runs: document.group_runs }),
    pass_rate: document.pass_rate ?? null,
    folder,
    comparable: document.comparable,
  };
}

/** Milliseconds after a change at which `run.json` is written. */
const soonMs = 500;

/**
 * Replaces `run.json` of a run folder, one write at a time; `create-run.ts` writes the first one. The file is a cache of
 * the log for listings, so a failed background write is ignored.
 */
export class RunJsonWriter {
  readonly #path: string;
  readonly #text: () => string;
  readonly #isHeld: () => boolean;
  #saving: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `text`: renders the current file; `isHeld`: true while another owner of the run writes it. */
  constructor(folder: string, text: () => string, isHeld: () => boolean) {
    this.#path = documentPath(folder);
    this.#text = text;
    this.#isHeld = isHeld;
  }

  /** Errors: `storage-full`, `storage-unusable`. */
  async save(): Promise<void> {
    this.#cancelTimer();
    while (this.#saving !== undefined) await this.#saving.catch(() => undefined);
    this.#saving = this.#replace().finally(() => {
      this.#saving = undefined;
    });
    await this.#saving;
  }

  /** Schedules a write, unless one is scheduled. */
  saveSoon(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(() => void this.#saveIfFree(), soonMs);
    this.#timer.unref();
  }

  /** Performs a scheduled write now, and waits for one in progress. */
  async flush(): Promise<void> {
    if (this.#timer !== undefined) await this.#saveIfFree();
    await this.#saving?.catch(() => undefined);
  }

  async #replace(): Promise<void> {
    try {
      await replaceFile(this.#path, this.#text(), { mode: fileMode });
    } catch (error) {
      throw toStorageError(error, dirname(this.#path));
    }
  }

  async #saveIfFree(): Promise<void> {
    this.#cancelTimer();
    if (!this.#isHeld()) await this.save().catch(() => undefined);
  }

  #cancelTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
