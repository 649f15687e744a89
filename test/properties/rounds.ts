import type { Parameters } from 'fast-check';

const factor = Number(process.env.FC_RUNS ?? 1);

/** Milliseconds that a property may take: many seconds on a machine that has other work. */
export const patience = 120_000 * Math.max(1, factor);

/** How often a property is tried: so often, times what the environment variable `FC_RUNS` says. */
export function rounds(count: number): Parameters<unknown> {
  return { numRuns: Math.max(1, Math.round(count * factor)) };
}
