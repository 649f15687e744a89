import { isStoredCalls, type StoredCalls } from '../model/calls/stored-calls.js';
import { isCount, isJson, isJsonObject, isObject } from '../model/json.js';
import { isKeptValues } from '../model/kept-values.js';
import type { Score } from '../model/scores/score.js';
import { isGrading, scoreFields } from '../model/scores/score-shape.js';
import {
  both,
  exactly,
  type Fitting,
  faultOf,
  isAmount,
  isFlag,
  isText,
  isTrue,
  listOf,
  named,
  nullOr,
  oneOf,
  optional,
  type Shape,
} from '../model/shapes.js';
import type { RecordingLookups, RecordingMiss } from '../recordings/recording.js';
import { maxDepth } from '../values/convert.js';

/** Deeper than any converted value; `JSON.stringify` would overflow on deeper ones. */
function isTooDeep(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) {
    if (isTooDeep((value as Readonly<Record<string, unknown>>)[key], levels - 1)) return true;
  }
  return false;
}

function upTo<T>(levels: number, shape: Shape<T>): Shape<T> {
  const isShort = (value: unknown): value is T => !isTooDeep(value, levels);
  return both(shape, named('nested less deeply', isShort));
}

/** True for converted values with some levels around them: these can be written as JSON again. */
export function isShallow<T>(value: T): value is T {
  return !isTooDeep(value, maxDepth + 8);
}

/** True for the calls of an attempt, as a host or a worker sends them. */
export function isCalls(value: unknown): value is StoredCalls {
  return isStoredCalls(value) && isShallow(value);
}

// An evaluation neither judges values nor knows of people.
const { key, passed, value, better, notes, location, rubric_version } = scoreFields;
const areScores: Shape<readonly Score[]> = both(
  listOf(exactly({ key, passed, value, better, notes, location, rubric_version })),
  isGrading,
);

/** Milliseconds of a date with four digits for its year. */
const isTime = named(
  'a time in Unix milliseconds',
  (time): time is number => isAmount(time) && time < Date.UTC(10_000, 0),
);

const isHash = named(
  'a hash',
  (hash): hash is string => isText(hash) && /^[0-9a-f]{16}$/.test(hash),
);

const isMiss = both(
  exactly({ path: optional(isText), before: optional(isText) }),
  named('a place with the words before it', (miss): miss is Partial<RecordingMiss> => {
    const { path, before } = miss as Partial<RecordingMiss>;
    return (path === undefined) === (before === undefined);
  }),
);

const isLookups: Shape<RecordingLookups> = exactly({
  found: isCount,
  missed: listOf(isMiss),
  unrecorded: optional(isCount),
  local: optional(isCount),
  unused: optional(isCount),
});

const isOutcome = exactly({
  status: oneOf('completed', 'error'),
  output: upTo(maxDepth + 1, isJson),
  scores: areScores,
  error: nullOr(isText),
  latency: nullOr(isAmount),
  /** Start of the attempt, in Unix milliseconds. Absent if its process was lost. */
  startedAt: optional(isTime),
  /** Absent when the attempt was ended from outside, for example by a timeout. */
  trace_data: optional(upTo(maxDepth + 1, isJsonObject)),
  /** Present only when the evaluation changed it. */
  metadata: optional(upTo(maxDepth + 1, isJsonObject)),
  /** True when the evaluation has a target and the target has finished. */
  regradable: isFlag,
  /** What JSON does not keep of its output, and of metadata that it changed. */
  kept: optional(named('values as they were', upTo(2, isKeptValues))),
  /** Why grading its stored values again would not see what grading saw: `getters: .text`. */
  inexact: optional(isText),
  /** Why nothing was graded: the stored values cannot be restored. */
  left: optional(isText),
  /** Nothing ran: the case has other values here than its task says. */
  hasOtherValues: optional(isTrue),
  /** The output, and what else grading sees of it, is stored exactly as it was. */
  exact: optional(isFlag),
  /** What it was seen to do that no fingerprint follows, such as `starts a process`. */
  hazard: optional(isText),
  /** Its error is that of a model that could not be reached. */
  no_draw: optional(isFlag),
  /** Hash of the modules loaded by its eval file; absent if unknown. */
  code: optional(isHash),
  /** The calls it made; absent if none. */
  calls: optional(named('the calls of an attempt', isCalls)),
  /** Recording lookups of its calls; absent without recordings. */
  lookups: optional(isLookups),
});

/** The result of an attempt. */
export interface Outcome extends Fitting<typeof isOutcome> {}

/**
 * What is wrong with the result of an attempt, as a host or a worker sends it: `its latency must be a number`. `undefined`
 * for an {@link Outcome}, of which none makes a line of the log that cannot be read again.
 */
export function outcomeFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is no object';
  if (isOutcome(value)) {
    if ((value.status === 'error') === (value.error !== null)) return undefined;
    return value.error === null
      ? 'its status is error, but it has none'
      : 'its status is completed, but it has an error';
  }
  // What it has instead may be secret.
  const { at, problem } = faultOf(value, isOutcome);
  return at === '' ? `it ${problem}` : `its ${at.slice(1).replaceAll('/', '.')} ${problem}`;
}

/** The result of an attempt of which there is nothing but an error. */
export function errorOutcome(error: string): Outcome {
  return { status: 'error', output: null, scores: [], error, latency: null, regradable: false };
}
