import { type CallLimits, callLimitNames } from './calls/call-rules.js';
import { isNumber, isObject } from './json.js';

/** Longest timeout of an attempt, in seconds: a day. */
export const maxTimeout = 86_400;

/** Most trials of an evaluation. */
export const maxTrials = 1000;

/** Most variants of one command, and most runs of a comparison. */
export const mostVariants = 12;

/** Most evaluations in flight. */
export const maxConcurrency = 1000;

/** True for a number of seconds that is a valid timeout. */
export function isTimeout(value: unknown): value is number {
  return typeof value === 'number' && value > 0 && value <= maxTimeout;
}

/** True for limits of the calls of an attempt. */
export function isCallLimits(value: unknown): value is CallLimits {
  return (
    isObject(value) &&
    Object.entries(value).every(([name, limit]) => {
      if (limit === undefined) return (callLimitNames as readonly string[]).includes(name);
      if (name === 'cost') return isNumber(limit) && limit > 0;
      return (name === 'calls' || name === 'tokens') && isWholeUpTo(Number.MAX_SAFE_INTEGER, limit);
    })
  );
}

/** True for a whole number from 1 to `most`. */
export function isWholeUpTo(most: number, value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most;
}

/** True for the name of a param: what `--param NAME=value` can give. */
export function isParamName(name: string): boolean {
  return (
    /^[^\s=,"][^=,"]*$/.test(name) &&
    name.trim() === name &&
    !/\p{C}/u.test(name) &&
    name.length <= 100
  );
}
