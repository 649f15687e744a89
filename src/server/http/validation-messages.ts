import { z } from 'zod';

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
