import type { Parameters } from 'fast-check';

const factor = Number(process.env.ROUNDS ?? 1);

/** Milliseconds that a property may take: many seconds on a machine that has other work. */
export const patience = 120_000 * Math.max(1, factor);

/** How often something is tried: so often, times the environment variable `ROUNDS`, which `npm run torture` sets. */
export function times(count: number): number {
  return Math.max(1, Math.round(count * factor));
}

/** The same, for a property. */
export function rounds(count: number): Parameters<unknown> {
  return { numRuns: times(count) };
}
