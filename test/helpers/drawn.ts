import { randomNumbers, seed, someOf } from './random.js';
import { times } from './rounds.js';

/** Belongs to the title of a test that draws: says how to repeat it. */
export const drawnFrom = `FAULTS_SEED=${seed}`;

/**
 * So many of a list, in order, drawn anew in each run; `ROUNDS` times as many with `npm run test:long`, which tries all.
 * The name tells what is drawn for: the same seed draws the same for it, in whatever order tests run.
 */
export function drawn<T>(name: string, items: readonly T[], count: number): T[] {
  const numbers = someOf(items.length, times(count), randomNumbers(seed + numberOf(name)));
  return items.filter((_, at) => numbers.includes(at + 1));
}

/**
 * Leaves so many tests of a suite, drawn in the same way: for tests that take long, and do not build on each other. All of
 * them run last to first, so that one that builds on another fails. Comes last in the suite, whose title has
 * {@link drawnFrom}.
 */
export function drawTests(suite: Mocha.Suite, count: number): void {
  const tests = drawn(suite.title, suite.tests, count);
  suite.tests = tests.length === suite.tests.length ? tests.reverse() : tests;
}

function numberOf(text: string): number {
  let number = 0;
  for (const character of text) number = (Math.imul(number, 31) + character.charCodeAt(0)) | 0;
  return number;
}
