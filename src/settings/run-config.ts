import type { JsonObject } from '../model/result.js';

/** A named set of options for runs; missing ones come from the settings. */
export interface RunConfig {
  readonly name: string;
  readonly concurrency?: number;
  /** Seconds. */
  readonly timeout?: number;
  readonly trials?: number;
  /** Values that evaluations read as `ctx.params`. */
  readonly params: JsonObject;
}

/** True for a valid run config name: 1 to 100 printable characters, no spaces around it. */
export function isRunConfigName(name: string): boolean {
  if (['__proto__', 'constructor', 'prototype'].includes(name)) return false;
  return name.trim() === name && /^\P{C}{1,100}$/u.test(name);
}
