import type { EvalContext } from './context.js';

// On globalThis, so that every copy of the package in the process finds the function of the host.
const providerKey = Symbol.for('assay.currentEvaluation');

type Shared = { [providerKey]?: () => EvalContext | undefined };

/**
 * The context of the attempt that calls this, from anywhere in its code: after `await`, in timers and callbacks too.
 * `undefined` outside of attempts, such as in production or while files are imported.
 */
export function currentEvaluation(): EvalContext | undefined {
  return (globalThis as Shared)[providerKey]?.();
}

/** Sets how {@link currentEvaluation} finds the attempts of this process. */
export function provideCurrentEvaluation(provider: () => EvalContext | undefined): void {
  (globalThis as Shared)[providerKey] = provider;
}
