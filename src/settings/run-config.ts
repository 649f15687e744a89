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
