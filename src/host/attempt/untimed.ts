import type { Scope } from './attempt.js';

/** Marks the running code as having no latency, because recordings answered or refused its calls. */
export function leaveUntimed({ caller, role }: Scope): void {
  caller.notTimed ??= new Set();
  caller.notTimed.add(role);
}
