import type { Outcome } from './outcome.js';

/** The result of an attempt of which there is nothing but an error. */
export function errorOutcome(error: string): Outcome {
  return { status: 'error', output: null, scores: [], error, latency: null, regradable: false };
}
