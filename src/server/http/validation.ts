import { z } from 'zod';
import { didYouMean } from '../../text/near-names.js';
import { type InvalidValue, ProblemError } from './problem.js';

type Issue = z.core.$ZodIssue;

// Enough to fix a body; a body with a million wrong values must not cause a larger answer.
const mostValues = 20;
// Maximum length of an unknown name in an answer, in characters.
const longestName = 100;

/** The refusal of a body that does not match its schema; `known` are the keys that it may have. */
export function invalidBody(error: z.ZodError, known: readonly string[]): ProblemError {
  const values = error.issues.flatMap((issue) => fromIssue(issue, known));
  return refusal('The body is not valid', values);
}

/**
 * The refusal of query parameters that do not match; the pointer is the name of a parameter. `known` are the
 * existing parameters.
 */
export function invalidQuery(error: z.ZodError, known: readonly string[]): ProblemError {
  const values = error.issues.flatMap((issue): InvalidValue[] => {
    if (issue.code !== 'unrecognized_keys') {
      return [{ pointer: String(issue.path[0] ?? ''), detail: sentence(text(issue)) }];
    }
    return issue.keys.slice(0, mostValues).map((name) => {
      return { pointer: name.slice(0, longestName), detail: noSuch('parameter', name, known) };
    });
  });
  return refusal('A parameter is not valid', values);
}

/** A JSON Pointer, RFC 6901. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function refusal(what: string, values: readonly InvalidValue[]): ProblemError {
  const errors = values.slice(0, mostValues);
  const [first] = errors;
  const where = first === undefined || first.pointer === '' ? '' : ` at ${first.pointer}`;
  return new ProblemError(400, `${what}${where}: ${first?.detail ?? 'wrong.'}`, { errors });
}

function fromIssue(issue: Issue, known: readonly string[]): InvalidValue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, mostValues).map((key) => ({
      pointer: jsonPointer([...issue.path, key.slice(0, longestName)]),
      detail: noSuch('key', key, issue.path.length === 0 ? known : []),
    }));
  }
  return [{ pointer: jsonPointer(issue.path), detail: sentence(text(issue)) }];
}

function noSuch(what: string, name: string, known: readonly string[]): string {
  const near = didYouMean(name, known);
  return `There is no such ${what}.${near === undefined ? '' : ` ${near}`}`;
}

function text(issue: Issue): string {
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const kinds = issue.errors.flatMap((branch) => branch.slice(0, 1).map((one) => one.message));
    return [...new Set(kinds)].join('; or ');
  }
  return issue.message;
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

const nouns = new Map([
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['string', 'a text'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['null', 'null'],
]);

/** Replaces zod's default messages with plain ones; messages of a schema take precedence. */
export function setValidationMessages(): void {
  z.config({
    customError: (issue) => {
      switch (issue.code) {
        case 'invalid_type': {
          const noun = nouns.get(String(issue.expected)) ?? `a ${issue.expected}`;
          return issue.input === undefined
            ? `It is missing; it must be ${noun}`
            : `must be ${noun}`;
        }
        case 'too_small':
          return `must ${sizeOf(issue.origin)} at least ${issue.minimum}${unitOf(issue.origin)}`;
        case 'too_big':
          return `must ${sizeOf(issue.origin)} at most ${issue.maximum}${unitOf(issue.origin)}`;
        case 'invalid_value':
          return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
        default:
          return undefined;
      }
    },
  });
}

function sizeOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have' : 'be';
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}
