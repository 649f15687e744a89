import type { JsonObject } from '../model/result.js';

/** A named way to run; what it does not set comes from the settings. */
export interface RunConfig {
  readonly name: string;
  readonly concurrency?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly trials?: number;
  /** What evaluations read as `ctx.params`. */
  readonly params: JsonObject;
}

/** True for a name that a run config may have: 1 to 100 printable characters, no spaces around it. */
export function isRunConfigName(name: string): boolean {
  if (['__proto__', 'constructor', 'prototype'].includes(name)) return false;
  return name.trim() === name && /^\P{C}{1,100}$/u.test(name);
}
