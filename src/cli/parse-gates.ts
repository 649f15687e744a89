import { AssayError } from '../errors.js';
import type { Gate } from '../model/gates.js';

/** Gates of `--fail-under` and `--fail-on`. Throws `usage` for a rate that is none. */
export function parseGates(failUnder: readonly string[], failOn: readonly string[]): Gate[] {
  return [
    ...failUnder.map(parseFailUnder),
    ...failOn.map((kind): Gate => ({ kind: kind === 'errors' ? 'errors' : 'failures' })),
  ];
}

function parseFailUnder(given: string): Gate {
  const at = given.lastIndexOf('=');
  if (at === -1) return { kind: 'pass-rate', atLeast: parseRate(given, given, 1) };
  const key = given.slice(0, at);
  if (key === '') throw notARate(given);
  return { kind: 'score', key, atLeast: parseRate(given.slice(at + 1), given) };
}

/** `0.8` and `80%` are the same; averages of scores may be larger than 1. */
function parseRate(text: string, given: string, most = Number.POSITIVE_INFINITY): number {
  const [, digits, percent] = /^(-?\d+(?:\.\d+)?|-?\.\d+)\s*(%?)$/.exec(text.trim()) ?? [];
  if (digits === undefined) throw notARate(given);
  const rate = percent === '%' ? Number(digits) / 100 : Number(digits);
  if (rate > most || (most === 1 && rate < 0)) throw notARate(given);
  return rate;
}

function notARate(given: string): AssayError {
  return new AssayError('usage', `--fail-under takes a rate, not ${JSON.stringify(given)}.`, {
    hints: ['Such as 0.8 or 80% for the pass rate, exact=0.9 for one score.'],
  });
}
