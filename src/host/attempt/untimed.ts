import type { Scope } from './attempt.js';

/** Leaves the running code without a latency: recordings answered it, or refused to. */
export function leaveUntimed({ caller, role }: Scope): void {
  caller.notTimed ??= new Set();
  caller.notTimed.add(role);
}
