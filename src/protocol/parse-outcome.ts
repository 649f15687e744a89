import { isStoredCalls, type StoredCalls } from '../model/calls/stored-calls.js';
import { isCount, isObject } from '../model/json.js';
import { isKeptValues } from '../model/kept-values.js';
import { isScoreKey } from '../model/scores/score.js';
import { isAmount, isFlag, isText, listOf } from '../model/shapes.js';
import { maxDepth } from '../values/convert.js';
import type { Outcome } from './messages.js';

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const upTo =
  (levels: number, check: Check = () => true): Check =>
  (value) =>
    check(value) && !isTooDeep(value, levels);

/** The fields of a score that an evaluation gives: it neither judges values nor knows of people. */
const scoreFields: Checks = {
  key: isScoreKey,
  passed: optional(isFlag),
  value: optional((value) => Number.isFinite(value)),
  notes: optional(isText),
  location: optional(isText),
};

const isMiss = (value: unknown): value is object =>
  isObject(value) && (value.path === undefined || (isText(value.path) && isText(value.before)));

const lookupFields: Checks = {
  found: isCount,
  missed: listOf(isMiss),
  unrecorded: optional(isCount),
  local: optional(isCount),
  unused: optional(isCount),
};

/** All fields of an outcome; scores have fields of their own. */
const fields: { readonly [field in keyof Outcome]-?: Check } = {
  status: (value) => value === 'completed' || value === 'error',
  output: upTo(maxDepth + 1, (value) => value !== undefined),
  scores: Array.isArray,
  error: (value) => value === null || isText(value),
  latency: (value) => value === null || isAmount(value),
  startedAt: optional(isTime),
  trace_data: optional(upTo(maxDepth + 1, isObject)),
  metadata: optional(upTo(maxDepth + 1, isObject)),
  regradable: isFlag,
  kept: optional(upTo(2, isKeptValues)),
  inexact: optional(isText),
  left: optional(isText),
  exact: optional(isFlag),
  hazard: optional(isText),
  no_draw: optional(isFlag),
  code: optional((value) => isText(value) && /^[0-9a-f]{16}$/.test(value)),
  calls: optional(isCalls),
  lookups: optional((value) => isObject(value) && faultOfFields(value, lookupFields) === undefined),
};

/**
 * What is wrong with the result of an attempt, as a host or a worker sends it: `its latency is wrong`. `undefined` for an
 * {@link Outcome}: of these fields and no others, and none that would make a line of the log that cannot be read again.
 */
export function outcomeFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is no object';
  const fault = faultOfFields(value, fields);
  if (fault !== undefined) return fault;
  const { status, error } = value;
  if (status === 'error' && error === null) return 'its status is error, but it has none';
  if (status === 'completed' && error !== null)
    return 'its status is completed, but it has an error';
  return faultOfScores(value.scores as readonly unknown[]);
}

function faultOfScores(scores: readonly unknown[]): string | undefined {
  const keys = new Set<unknown>();
  for (const [at, score] of scores.entries()) {
    const which = `score ${at + 1}`;
    if (!isObject(score)) return `its ${which} is wrong`;
    const fault = faultOfFields(score, scoreFields, `${which}: `);
    if (fault !== undefined) return fault;
    if (score.passed === undefined && score.value === undefined) {
      return `its ${which} has neither a verdict nor a value`;
    }
    if (keys.has(score.key)) return `it has two scores with the key ${JSON.stringify(score.key)}`;
    keys.add(score.key);
  }
  return undefined;
}

function faultOfFields(
  value: Readonly<Record<string, unknown>>,
  checks: Checks,
  of = '',
): string | undefined {
  const unknown = Object.keys(value).find((field) => !Object.hasOwn(checks, field));
  if (unknown !== undefined)
    return `its ${of}field ${JSON.stringify(unknown.slice(0, 40))} is unknown`;
  for (const [field, check] of Object.entries(checks)) {
    if (!check(value[field]))
      return `its ${of}${field} is ${value[field] === undefined ? 'missing' : 'wrong'}`;
  }
  return undefined;
}

/** True for milliseconds of a date with four digits for its year. */
function isTime(value: unknown): boolean {
  return isAmount(value) && value < Date.UTC(10_000, 0);
}

/** True for the calls of an attempt, as a host or a worker sends them. */
export function isCalls(value: unknown): value is StoredCalls {
  return isStoredCalls(value) && isShallow(value);
}

/** True for converted values with some levels around them: these can be written as JSON again. */
export function isShallow<T>(value: T): value is T {
  return !isTooDeep(value, maxDepth + 8);
}

/** Deeper than any converted value; `JSON.stringify` would overflow on deeper ones. */
function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) {
    if (isTooDeep((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return true;
  }
  return false;
}
