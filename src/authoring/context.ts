import type { Call, ToolCall } from '../model/calls/model-call.js';
import type { Usage } from '../model/calls/usage.js';
import type { ScoreFunction } from './grades/grade.js';
import type { AnyParams } from './params.js';

/** Facts about how the output came about; stored with the result. */
export interface TraceData {
  /** The conversation, in the shape of the model's API. */
  messages?: unknown[] | undefined;
  /** Address at which the trace can be viewed. */
  traceUrl?: string | undefined;
  /** Seconds from the start of the target to the first chunk of an output that is a stream; a value set here is kept. */
  timeToFirstChunk?: number | undefined;
  [key: string]: unknown;
}

/** The context that target and body share. */
export interface BaseContext<Input, Reference, Params = AnyParams> {
  readonly input: Input;
  readonly reference: Reference;
  /** The same as `reference`. */
  readonly expected: Reference;
  /** A copy of the authored metadata that may be changed; stored with the result. */
  metadata: Record<string, unknown>;
  traceData: TraceData;
  /** Latency of the target in seconds, `null` before it returns. A value that you set replaces the measured one. */
  latency: number | null;
  /** The HTTP calls that target and body have made so far, in order of their start. */
  readonly calls: readonly Call[];
  /** Those of them that are calls of models, or look like one. */
  readonly modelCalls: readonly Call[];
  /** The tool calls that models asked for in them, in order. */
  readonly toolCalls: readonly ToolCall[];
  /** Their usage. Costs are not known before the result is stored. */
  readonly usage: Usage;
  readonly score: ScoreFunction;
  /** Aborted on timeout and stop; pass it to anything that can be cancelled. */
  readonly signal: AbortSignal;
  /** The params in effect: those of the run over the evaluation's defaults. */
  readonly params: Params;
  readonly runId: string;
  readonly runName: string;
  readonly sessionName: string;
  /** The eval file, relative to the working directory. */
  readonly evalPath: string;
  /** The evaluation's name, without the case. */
  readonly functionName: string;
  /** `undefined` when the evaluation has no cases. */
  readonly caseId: string | undefined;
  readonly dataset: string;
  readonly labels: readonly string[];
  /** From 1; `undefined` unless there is more than one trial. */
  readonly trial: number | undefined;
}

/** The context of a target. It returns the output, or sets `output`. */
export interface TargetContext<Input = unknown, Reference = unknown, Params = AnyParams>
  extends BaseContext<Input, Reference, Params> {
  output: unknown;
}

/** The context of a body. */
export interface EvalContext<
  Input = unknown,
  Output = unknown,
  Reference = unknown,
  Params = AnyParams,
> extends BaseContext<Input, Reference, Params> {
  output: Output;
}
