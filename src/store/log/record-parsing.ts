import { isStoredCalls } from '../../model/calls/stored-calls.js';
import { isUsage } from '../../model/calls/usage.js';
import { isCaseFingerprint, isFileCode, isFileReads } from '../../model/code/file-code.js';
import {
  isCount,
  isNumber,
  isObject,
  isStrings,
  isTimeText,
  parseStoredJson,
} from '../../model/json.js';
import { isKeptValues } from '../../model/kept-values.js';
import type { Origin } from '../../model/result.js';
import type { RunHead } from '../../model/run.js';
import { isScoreRules } from '../../model/scores/score-rule.js';
import { isMerged, isShard } from '../../model/shard.js';
import type { LogRecord } from './records.js';
import { isRowSelection } from './row-ranges.js';
import { isScores } from './stored-score.js';

type Fields = { readonly [key: string]: unknown };

/** A log line as a record; `undefined` when it is not JSON, of an unknown type, or has a wrong field. */
export function parseRecord(line: string): LogRecord | undefined {
  // Some editors put a byte order mark before the first line.
  const value = parseStoredJson(line.startsWith('\uFEFF') ? line.slice(1) : line);
  if (!isObject(value) || typeof value.type !== 'string') return undefined;
  const check = checks.get(value.type);
  // The check has just looked at every field the record type names.
  return check?.(value) === true ? (value as unknown as LogRecord) : undefined;
}

const checks = new Map<string, (fields: Fields) => boolean>([
  ['run', isRun],
  ['planned', isPlanned],
  ['scheduled', isScheduled],
  ['finished', isFinished],
  ['regraded', isRegraded],
  ['calls', (f) => isCount(f.index) && isStoredCalls(f)],
  ['late_calls', (f) => isCount(f.index) && isText(f.at) && isStoredCalls(f) && isUsage(f.usage)],
  ['cancelled', (f) => isText(f.at) && isRowSelection(f.rows)],
  ['pruned', (f) => isText(f.at) && isRowSelection(f.rows)],
  ['left', (f) => isText(f.at) && isRowSelection(f.rows)],
  ['same_code', (f) => isText(f.at) && isRowSelection(f.rows)],
  ['edited', isEdited],
  ['imported', isImported],
  ['code', (f) => isText(f.at) && isFileCode(f)],
  ['reads', (f) => isText(f.at) && isFileReads(f)],
  ['renamed', (f) => isText(f.at) && isText(f.run_name)],
  ['closed', isClosed],
  [
    'unlisted',
    (f) => isText(f.at) && (f.usage === undefined || isUsage(f.usage)) && isOptionalBoolean(f.last),
  ],
]);

function isClosed(f: Fields): boolean {
  return (
    isText(f.at) &&
    (f.outcome === 'finished' || f.outcome === 'stopped') &&
    (f.prices === undefined || isText(f.prices)) &&
    (f.waited === undefined || isWaits(f.waited)) &&
    (f.commit === undefined || isText(f.commit)) &&
    (f.dirty === undefined || f.dirty === true) &&
    (f.unlisted === undefined || isUsage(f.unlisted)) &&
    isOptionalBoolean(f.may_call) &&
    (f.unlisted_cost === undefined || isNumber(f.unlisted_cost)) &&
    (f.budget === undefined || isBudget(f.budget))
  );
}

/** True for seconds by model. */
export function isWaits(value: unknown): value is NonNullable<RunHead['waited']> {
  return isObject(value) && Object.values(value).every(isNumber);
}

function isBudget(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.max_cost === undefined || isNumber(value.max_cost)) &&
    (value.spent === undefined || isNumber(value.spent)) &&
    isRowSelection(value.refused)
  );
}

function isRun(f: Fields): boolean {
  return (
    isCount(f.format) &&
    isText(f.run_id) &&
    isText(f.session_name) &&
    isText(f.run_name) &&
    isNumber(f.created_at_ms) &&
    (f.started_at_ms === undefined || isNumber(f.started_at_ms)) &&
    isText(f.path) &&
    isText(f.config_name) &&
    isObject(f.selection) &&
    (f.shard === undefined || isShard(f.shard)) &&
    (f.merged === undefined || isMerged(f.merged))
  );
}

function isPlanned(f: Fields): boolean {
  return (
    isCount(f.index) &&
    isText(f.id) &&
    isText(f.evaluation) &&
    isText(f.function) &&
    isText(f.dataset) &&
    isStrings(f.labels) &&
    (f.trial === undefined || isCount(f.trial)) &&
    (f.trial_of === undefined || isText(f.trial_of)) &&
    (f.cluster === undefined || isText(f.cluster)) &&
    f.input !== undefined &&
    f.reference !== undefined &&
    isObject(f.metadata) &&
    (f.score_rules === undefined || isScoreRules(f.score_rules)) &&
    (f.fingerprint === undefined || isCaseFingerprint(f.fingerprint)) &&
    isKept(f)
  );
}

function isScheduled(f: Fields): boolean {
  return (
    isText(f.at) &&
    isRowSelection(f.rows) &&
    (f.regraded === undefined || isRowSelection(f.regraded)) &&
    (f.new_pass === undefined || isRowSelection(f.new_pass)) &&
    (f.rate_before === undefined || isCounts(f.rate_before)) &&
    (f.passes === undefined || isCount(f.passes)) &&
    isOptionalBoolean(f.old_repeats) &&
    ['run', 'rerun', 'resume', 'regrade'].includes(f.kind as string) &&
    (f.created_at_ms === undefined || isNumber(f.created_at_ms)) &&
    (f.max_cost === undefined || isNumber(f.max_cost)) &&
    (f.unlisted_cost === undefined || isNumber(f.unlisted_cost)) &&
    (f.params === undefined || isText(f.params))
  );
}

function isCounts(value: unknown): boolean {
  return isObject(value) && isCount(value.passed) && isCount(value.of);
}

function isFinished(f: Fields): boolean {
  return (
    isOutcome(f) &&
    f.output !== undefined &&
    (f.output_hash === undefined || isText(f.output_hash)) &&
    (f.latency === null || isNumber(f.latency)) &&
    (f.started_at === undefined || isTimeText(f.started_at)) &&
    isObject(f.trace_data) &&
    isOptionalBoolean(f.no_draw) &&
    isOptionalBoolean(f.verifies) &&
    isOptionalBoolean(f.other_code) &&
    (f.metadata === undefined || isObject(f.metadata)) &&
    isOptionalBoolean(f.regradable) &&
    isKept(f) &&
    isOptionalBoolean(f.exact) &&
    (f.hazard === undefined || isText(f.hazard)) &&
    (f.code === undefined || isText(f.code)) &&
    (f.reason === undefined || isText(f.reason)) &&
    (f.usage === undefined || isUsage(f.usage))
  );
}

function isRegraded(f: Fields): boolean {
  return (
    isOutcome(f) &&
    isAttempt(f.attempt) &&
    isOptionalBoolean(f.pass) &&
    (f.score_rules === undefined || isScoreRules(f.score_rules)) &&
    (f.metadata === undefined || isObject(f.metadata)) &&
    (f.trace_data === undefined || isObject(f.trace_data)) &&
    isKept(f) &&
    isOptionalBoolean(f.exact) &&
    (f.hazard === undefined || isText(f.hazard)) &&
    (f.code === undefined || isText(f.code)) &&
    (f.reason === undefined || isText(f.reason)) &&
    (f.usage === undefined || isUsage(f.usage))
  );
}

function isOutcome(f: Fields): boolean {
  return (
    isCount(f.index) &&
    isText(f.at) &&
    (f.status === 'completed' || f.status === 'error') &&
    (f.error === null || isText(f.error)) &&
    isScores(f.scores)
  );
}

function isEdited(f: Fields): boolean {
  return (
    isCount(f.index) &&
    isText(f.at) &&
    isAttempt(f.attempt) &&
    (f.annotation === undefined || isChange(f.annotation, isText)) &&
    (f.scores === undefined || isChange(f.scores, isScores))
  );
}

function isImported(f: Fields): boolean {
  return (
    isCount(f.index) &&
    isText(f.at) &&
    ['not_started', 'pending', 'completed', 'error', 'cancelled'].includes(f.status as string) &&
    f.output !== undefined &&
    (f.output_hash === undefined || isText(f.output_hash)) &&
    isScores(f.scores) &&
    (f.error === null || isText(f.error)) &&
    (f.latency === null || isNumber(f.latency)) &&
    (f.started_at === undefined || isTimeText(f.started_at)) &&
    isObject(f.trace_data) &&
    isOptionalBoolean(f.regradable) &&
    isKept(f) &&
    (f.code === undefined || isText(f.code)) &&
    (f.reason === undefined || isText(f.reason)) &&
    isOptionalBoolean(f.pruned) &&
    isOptionalBoolean(f.repeat) &&
    isOptionalBoolean(f.runs_again) &&
    isOptionalBoolean(f.former_grade) &&
    (f.lost_scores === undefined || isStrings(f.lost_scores)) &&
    isOptionalBoolean(f.no_draw) &&
    isOptionalBoolean(f.verifies) &&
    isOptionalBoolean(f.other_code) &&
    isOptionalBoolean(f.exact) &&
    (f.hazard === undefined || isText(f.hazard)) &&
    (f.metadata === undefined || isObject(f.metadata)) &&
    (f.origin === undefined || isOrigin(f.origin)) &&
    (f.usage === undefined || isUsage(f.usage)) &&
    (f.replaced_usage === undefined || isUsage(f.replaced_usage)) &&
    isText(f.annotation) &&
    Array.isArray(f.correction_history) &&
    f.correction_history.every(isCorrection)
  );
}

/** True for the run that a result was taken from. */
export function isOrigin(value: unknown): value is Origin {
  return (
    isObject(value) &&
    isText(value.run_id) &&
    isText(value.run_name) &&
    (value.kind === 'carried' || value.kind === 'regraded')
  );
}

/** True for one entry of a correction history. */
function isCorrection(value: unknown): boolean {
  return (
    isObject(value) &&
    (value.field === 'annotation' || value.field === 'scores') &&
    value.before !== undefined &&
    value.after !== undefined &&
    isText(value.timestamp)
  );
}

function isChange(value: unknown, side: (value: unknown) => boolean): boolean {
  return isObject(value) && side(value.before) && side(value.after);
}

function isAttempt(value: unknown): boolean {
  return value === undefined || value === 'counted';
}

function isKept(f: Fields): boolean {
  return (
    (f.kept === undefined || isKeptValues(f.kept)) && (f.inexact === undefined || isText(f.inexact))
  );
}

function isOptionalBoolean(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
