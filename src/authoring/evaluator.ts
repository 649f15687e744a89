import type { Call, ToolCall } from '../model/calls/model-call.js';
import type { Usage } from '../model/calls/usage.js';
import type { TraceData } from './context.js';
import type { Grade } from './grades/grade.js';
import type { AnyParams } from './params.js';

/** A value, or a promise of it. */
export type MaybePromise<T> = T | PromiseLike<T>;

/** The arguments of an evaluator. */
export interface EvaluatorArgs<
  Input = unknown,
  Output = unknown,
  Reference = unknown,
  Params = AnyParams,
> {
  readonly input: Input;
  readonly output: Output;
  readonly reference: Reference;
  /** The same as `reference`. */
  readonly expected: Reference;
  readonly metadata: Record<string, unknown>;
  readonly traceData: TraceData;
  /** Seconds; `null` when there is none. */
  readonly latency: number | null;
  /** The HTTP calls that target and body have made, in order of their start. */
  readonly calls: readonly Call[];
  /** Those of them that are calls of models, or look like one. */
  readonly modelCalls: readonly Call[];
  /** The tool calls that models asked for in them, in order. */
  readonly toolCalls: readonly ToolCall[];
  /** Their usage, without costs. */
  readonly usage: Usage;
  /**
   * US dollars that they cost, replayed ones as if they were made; `null` when the cost of one is not known. The first
   * call loads the price list, about 0.1 s.
   */
  readonly cost: () => Promise<number | null>;
  /** Aborted on timeout and stop. */
  readonly signal: AbortSignal;
  /** The params in effect. */
  readonly params: Params;
}

/**
 * Grades an output after the body has run. Its function name is the key of scores that have none; a function
 * without a name gets `evaluator_<position>`, counted from 0. One that throws makes the result an error.
 */
export type Evaluator<
  Input = unknown,
  Output = unknown,
  Reference = unknown,
  Params = AnyParams,
> = (args: EvaluatorArgs<Input, Output, Reference, Params>) => MaybePromise<Grade>;
