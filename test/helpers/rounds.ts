import type { Parameters } from 'fast-check';

/** 1 in `npm test`; more in `npm run test:long` and `npm run torture`, which set `ROUNDS`. */
const factor = Number(process.env.ROUNDS ?? 1);

/** Where random numbers of tests start: the same in each run, but for `npm run torture`, which prints its own. */
export const seed = Number(process.env.SEED ?? 1);

/** Milliseconds that a property may take: many seconds on a machine that has other work. */
export const patience = 120_000 * Math.max(1, factor);

/** How often something is tried: so often, times `ROUNDS`. */
export function times(count: number): number {
  return Math.max(1, Math.round(count * factor));
}

/** The same, for a property. */
export function rounds(count: number): Parameters<unknown> {
  return { numRuns: times(count) };
}

/** So many of a list (times `ROUNDS`), evenly spread from the first on, in order: the same in each run. */
export function fewOf<T>(items: readonly T[], count: number): T[] {
  const step = items.length / Math.min(items.length, times(count));
  return items.filter((_, at) => at === 0 || Math.floor(at / step) > Math.floor((at - 1) / step));
}

/** Numbers from 0 up to, but not including, 1: the same ones for a seed. */
export function randomNumbers(from = seed): () => number {
  // Mulberry32.
  let state = from;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many of the numbers from 1 to `last`, each once, in order. */
export function someOf(last: number, count: number, random: () => number): number[] {
  const left = Array.from({ length: last }, (_, at) => at + 1);
  const chosen: number[] = [];
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return chosen.sort((a, b) => a - b);
}
