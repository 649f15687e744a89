import { isStoredCalls } from '../../model/calls/stored-calls.js';
import { isUsage } from '../../model/calls/usage.js';
import { isCaseFingerprint, isFileReads, isStoredCode } from '../../model/code/file-code.js';
import {
  isCount,
  isJson,
  isJsonObject,
  isNumber,
  isObject,
  isStrings,
  isTimeText,
  parseStoredJson,
} from '../../model/json.js';
import { isKeptValues } from '../../model/kept-values.js';
import { labelFields, rubricFields, sampleFields } from '../../model/labels.js';
import { isCorrection, isOrigin, rowIdentity } from '../../model/result.js';
import { isWaits, placeFields } from '../../model/run.js';
import { isScoreRules } from '../../model/scores/score-rule.js';
import { isScores } from '../../model/scores/score-shape.js';
import {
  both,
  type Fitting,
  isFlag,
  isText,
  isTrue,
  listOf,
  nullOr,
  object,
  oneOf,
  optional,
  type Shape,
} from '../../model/shapes.js';
import { isMerged } from '../../model/shard.js';
import { isRowSelection } from './row-ranges.js';

/** Version of the file format this code writes. */
export const formatVersion = 1;

/** What the `run` line and exports say of a run. */
const run = object({
  type: oneOf('run'),
  format: isCount,
  /** Version of assay that made the run. */
  assay: optional(isText),
  run_id: isText,
  session_name: isText,
  run_name: isText,
  created_at_ms: isNumber,
  /** When the run first started, if different from `created_at_ms`. */
  started_at_ms: optional(isNumber),
  path: isText,
  config_name: isText,
  /** The selection for reruns, besides `path`; opaque to the store. */
  selection: isJsonObject,
  ...placeFields,
  /** Present in a run that was merged of parts. */
  merged: optional(isMerged),
});

/** The first line of a log: identifies the run. */
export type RunRecord = Fitting<typeof run>;

const planned = object({
  type: oneOf('planned'),
  index: isCount,
  ...rowIdentity,
  evaluation: isText,
  input: isJson,
  reference: isJson,
  metadata: isJsonObject,
  /** Line of the evaluation in its file, or of its row in the case file, from 1. */
  line: optional(isNumber),
  /** The case file; absent for the file of the evaluation. */
  line_file: optional(isText),
  /** Thresholds for the values of its scores. */
  score_rules: optional(isScoreRules),
  /** Hashes of its values; absent if they cannot tell two plans apart. */
  fingerprint: optional(isCaseFingerprint),
  /** What JSON does not keep of its values. */
  kept: optional(isKeptValues),
});

/** The plan of a row. A rerun may write another one for the same index; the last one wins. */
export type PlannedRecord = Fitting<typeof planned>;

const executionKind = oneOf('run', 'rerun', 'resume', 'regrade');

export type ExecutionKind = Fitting<typeof executionKind>;

const scheduled = object({
  type: oneOf('scheduled'),
  at: isText,
  kind: executionKind,
  rows: isRowSelection,
  /** Those of them that keep their results and only get a new grade; absent for none. */
  regraded: optional(isRowSelection),
  /**
   * Those of them that begin a new pass of their evaluations, because no outcome decided which rows run; absent for none, and
   * for reruns and regrades in logs of versions that did not tell. The others repeat: their attempts of the last pass go on
   * counting.
   */
  new_pass: optional(isRowSelection),
  /** The pass rate of the run before a new pass; absent without one. */
  rate_before: optional(object({ passed: isCount, of: isCount })),
  /** Full passes of an imported run, this one included; absent for 1. */
  passes: optional(isCount),
  /** Of an imported run: some of its repeats are of a version that did not tell full passes apart. */
  old_repeats: optional(isFlag),
  /** The new start of the run; present for reruns and regrades. */
  created_at_ms: optional(isNumber),
  /** US dollars that the calls of the run may cost; absent without a budget. */
  max_cost: optional(isNumber),
  /** Only in logs of older versions; see {@link Ending}. */
  unlisted_cost: optional(isNumber),
  /** Hash of the params of the run config. */
  params: optional(isText),
  /** The params in effect; absent for none. */
  params_in_effect: optional(isJsonObject),
});

/** An execution starts. Its rows become pending, except in a regrade. */
export type ScheduledRecord = Fitting<typeof scheduled>;

const code = both(object({ type: oneOf('code'), at: isText }), isStoredCode);

/** The code of eval files in this execution. Read only to find out what has changed since. */
export type CodeRecord = Fitting<typeof code>;

const reads = both(object({ type: oneOf('reads'), at: isText }), isFileReads);

/** What evaluations of an eval file looked at in this execution; adds to earlier lines. Read like `code`. */
export type ReadsRecord = Fitting<typeof reads>;

/** The calls of a result, on the line before it. Read only when the calls of this result are requested. */
const calls = both(object({ type: oneOf('calls'), index: isCount }), isStoredCalls);

/** Calls that ended after their attempt. They replace calls with the same number. */
const lateCalls = both(
  object({
    type: oneOf('late_calls'),
    index: isCount,
    at: isText,
    /** The usage of all calls of the row. */
    usage: isUsage,
  }),
  isStoredCalls,
);

/** What every grading of a row says. */
const grading = {
  index: isCount,
  at: isText,
  scores: isScores,
  error: nullOr(isText),
  /** What JSON does not keep of its values. */
  kept: optional(isKeptValues),
  /** Why its values cannot be restored, so that grading them again could say something else. */
  inexact: optional(isText),
  /** Grading again sees what this grading saw. */
  exact: optional(isFlag),
  /** What it was seen to do that no fingerprint follows, such as `starts a process`. */
  hazard: optional(isText),
  /** Hash of the code that ran, or graded; absent if unknown. */
  code: optional(isText),
  /** Why it ran, or was graded again, where only what has changed was to. */
  reason: optional(isText),
  /** The usage of all calls of the row; absent without calls. */
  usage: optional(isUsage),
};

/** The values of a result, on the lines that have all of them. */
const values = {
  ...grading,
  output: isJson,
  /** See `outputHash`; absent in old logs. */
  output_hash: optional(isText),
  latency: nullOr(isNumber),
  /** When the attempt began; absent if unknown. */
  started_at: optional(isTimeText),
  trace_data: isJsonObject,
  /** Absent for that of the plan. */
  metadata: optional(isJsonObject),
  regradable: optional(isFlag),
  /** It ended for a reason outside of the evaluation, so that it does not count. */
  no_draw: optional(isFlag),
  /** It ran to verify the attempt that counts, which was carried over. */
  verifies: optional(isFlag),
  /** It completes a pass with other code, params or files than it began with. */
  other_code: optional(isFlag),
};

const finished = object({
  type: oneOf('finished'),
  status: oneOf('completed', 'error'),
  ...values,
});

/** An attempt finished. */
export type FinishedRecord = Fitting<typeof finished>;

/** Of the attempt that counts, where a repeat is newer. */
const attempt = optional(oneOf('counted'));

const regraded = object({
  type: oneOf('regraded'),
  status: oneOf('completed', 'error'),
  ...grading,
  attempt,
  /** This grade counts, as part of a new pass of grading; otherwise the one before goes on counting. */
  pass: optional(isFlag),
  /** Replaces the rules of the plan. */
  score_rules: optional(isScoreRules),
  metadata: optional(isJsonObject),
  trace_data: optional(isJsonObject),
});

/** A stored result was graded again. */
export type RegradedRecord = Fitting<typeof regraded>;

/** A person changed a result. */
const edited = object({
  type: oneOf('edited'),
  index: isCount,
  at: isText,
  attempt,
  annotation: optional(changeOf(isText)),
  scores: optional(changeOf(isScores)),
});
export type EditedRecord = Fitting<typeof edited>;

function changeOf<T>(side: Shape<T>) {
  return object({ before: side, after: side });
}

/**
 * The evaluations of these results were gone when others of the run were to run again, which makes them of another system.
 * `back`: they are there again.
 */
const gone = object({
  type: oneOf('gone'),
  at: isText,
  rows: isRowSelection,
  back: isRowSelection,
});

const imported = object({
  type: oneOf('imported'),
  status: oneOf('not_started', 'pending', 'completed', 'error', 'cancelled'),
  ...values,
  pruned: optional(isFlag),
  /** Its evaluation was gone when others ran again. */
  gone: optional(isFlag),
  /** It repeats the attempt of the line before, which goes on counting. */
  repeat: optional(isFlag),
  /** It counts, and its row is to run again as a repeat. */
  runs_again: optional(isFlag),
  /** A regrade left it with its former grade. */
  former_grade: optional(isFlag),
  /** Keys of scores that it had before its stored form was graded again. */
  lost_scores: optional(isStrings),
  /** What earlier attempts of its row, which the file does not have, spent in the run; on the last line of the row. */
  replaced_usage: optional(isUsage),
  /** The run that it was taken from, for a result that was not run again. */
  origin: optional(isOrigin),
  annotation: isText,
  correction_history: listOf(isCorrection),
});

/** All values of a row of an imported run, except its plan. */
export type ImportedRecord = Fitting<typeof imported>;

const ending = {
  outcome: oneOf('finished', 'stopped'),
  /** Name and version of the price list; absent if no call was priced. */
  prices: optional(isText),
  /** Seconds in which calls were held, by model; absent if none were. */
  waited: optional(isWaits),
  /** The commit of its working tree; absent without git. */
  commit: optional(isText),
  /** Only when true: files of that commit were changed. */
  dirty: optional(isTrue),
  /** What attempts without a result spent; in imported and merged runs, and in logs of older versions. */
  unlisted: optional(isUsage),
  /** Its attempts are being stopped: until a line `unlisted` is the last, they may make calls. */
  may_call: optional(isFlag),
  /** In logs of older versions: US dollars of all calls of the run that no result has. */
  unlisted_cost: optional(isNumber),
  /** Present only when the budget ended the execution early. */
  budget: optional(
    object({
      /** US dollars; absent in an imported run. */
      max_cost: optional(isNumber),
      /** US dollars; only in runs of older versions. */
      spent: optional(isNumber),
      /** Rows that are errors because a call was refused; a resume runs them again. */
      refused: isRowSelection,
    }),
  ),
};
const isEnding = object(ending);

/** Outcome of an execution. */
export type Ending = Fitting<typeof isEnding>;

function ofRows<const T extends string>(type: T) {
  return object({ type: oneOf(type), at: isText, rows: isRowSelection });
}

/** Results were drawn to be labelled. */
const sample = object({ type: oneOf('sample'), ...sampleFields });

/** A reviewer labelled a result, or took a label back (`null`). */
const label = object({
  type: oneOf('label'),
  ...labelFields,
  verdict: nullOr(labelFields.verdict),
});

/** A line about a label. The last one of a reviewer, result, score, version of the rubric and output counts. */
export type LabelRecord = Fitting<typeof label>;

/** Labels that were given together, and count together or, if the line is cut or damaged, not at all. */
const labels = object({
  type: oneOf('labels'),
  at: isText,
  labels: listOf(object({ ...labelFields, verdict: nullOr(labelFields.verdict) })),
});

export type LabelsRecord = Fitting<typeof labels>;

/** The rubrics by which people label. Later lines add to earlier ones; of one evaluation and score, the last one counts. */
const rubrics = object({ type: oneOf('rubrics'), at: isText, ...rubricFields });

export type RubricsRecord = Fitting<typeof rubrics>;

/** What a line of `results.jsonl` may be, by its type. */
const records = {
  run,
  planned,
  scheduled,
  finished,
  regraded,
  calls,
  late_calls: lateCalls,
  /** Cancels the pending ones of these rows. */
  cancelled: ofRows('cancelled'),
  /** Excludes rows whose evaluation no longer exists from all figures, until they are scheduled again. */
  pruned: ofRows('pruned'),
  /** A regrade left rows with their former grades, since their values are not stored as they were. */
  left: ofRows('left'),
  /** Results that completed a pass with other code are of one system with the others, since these are up to date or run again. */
  same_code: ofRows('same_code'),
  gone,
  sample,
  label,
  labels,
  rubrics,
  edited,
  imported,
  code,
  reads,
  /** The run was renamed. */
  renamed: object({ type: oneOf('renamed'), at: isText, run_name: isText }),
  /** An execution ended without a crash. */
  closed: object({ type: oneOf('closed'), at: isText, ...ending }),
  /** What attempts without a result, and imports, spent. */
  unlisted: object({
    type: oneOf('unlisted'),
    at: isText,
    /** Absent for nothing. */
    usage: optional(isUsage),
    /** The execution, which was closed before, makes no more calls. */
    last: optional(isFlag),
  }),
};

/** One line of `results.jsonl`. */
export type LogRecord = Fitting<(typeof records)[keyof typeof records]>;

/** Records that change a row. */
export type RowRecord = Exclude<Extract<LogRecord, { readonly index: number }>, LabelRecord>;

export function isRowRecord(record: LogRecord): record is RowRecord {
  return 'index' in record && record.type !== 'label';
}

/** A log line as a record; `undefined` when it is not JSON, of an unknown type, or has a wrong field. */
export function parseRecord(line: string): LogRecord | undefined {
  // Some editors put a byte order mark before the first line.
  const value = parseStoredJson(line.startsWith('\uFEFF') ? line.slice(1) : line);
  if (!isObject(value) || typeof value.type !== 'string') return undefined;
  if (!Object.hasOwn(records, value.type)) return undefined;
  const shape: Shape<LogRecord> = records[value.type as LogRecord['type']];
  return shape(value) ? value : undefined;
}
