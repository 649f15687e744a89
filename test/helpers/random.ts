import { randomInt } from 'node:crypto';

/** Where random tests start from; `FAULTS_SEED` repeats one. */
export const seed = Number(process.env.FAULTS_SEED ?? randomInt(1_000_000));

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
