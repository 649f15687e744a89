import type { Call, ToolCall } from '../model/calls/model-call.js';
import {
  callsAlone,
  cutOffUsage,
  isOfEvaluation,
  modelCallsOf,
  noUsage,
  toolCallsOf,
  type Usage,
  usageOf,
} from '../model/calls/usage.js';
import type { JsonObject } from '../model/result.js';
import type { Score } from '../model/scores/score.js';
import type { ScoreRules } from '../model/scores/score-rule.js';
import type { EvalContext, TraceData } from './context.js';
import { copyPlain } from './copy-plain.js';
import { describeValue } from './describe-value.js';
import type { EvaluatorArgs } from './evaluator.js';
import { AttemptScores } from './grades/attempt-scores.js';
import type { ScoreFunction } from './grades/grade.js';
import { isRecord } from './is-record.js';
import type { ExpandedCase } from './options/expand-cases.js';
import type { AnyParams } from './params.js';

/** The values that an attempt grades: the case's own, or stored ones. */
export type ContextCase = Pick<
  ExpandedCase,
  'caseId' | 'input' | 'reference' | 'metadata' | 'labels' | 'defaultScoreKey' | 'params'
>;

/** Values that the run adds; the last two are for regrading a stored output. */
export interface ContextRuntime {
  readonly run: Pick<EvalContext, 'params' | 'runId' | 'runName' | 'sessionName'>;
  /** Makes its signal when it is asked for. */
  readonly attempt: {
    readonly signal: AbortSignal;
    readonly callsSoFar: readonly Call[];
    /** US dollars; `null` when that is not known. */
    costSoFar(): Promise<number | null>;
    /** False where calls are not observed. */
    readonly seesCalls: boolean;
  };
  readonly evalPath: string;
  readonly functionName: string;
  readonly dataset: string;
  readonly scoreRules?: ScoreRules | undefined;
  readonly trial: number | undefined;
  readonly output: unknown;
  readonly traceData: TraceData;
}

/** Makes the context of one attempt; input, reference and metadata are copies of the case's. */
export function createContext(of: ContextCase, runtime: ContextRuntime): AttemptHandle {
  return new AttemptHandle(of, runtime);
}

/** A context and the keys to it that user code does not get. */
export class AttemptHandle {
  readonly context: EvalContext;
  readonly #book: AttemptScores;
  readonly #latency = new Latency();
  readonly #attempt: ContextRuntime['attempt'];

  constructor(of: ContextCase, runtime: ContextRuntime) {
    this.#attempt = runtime.attempt;
    this.#book = new AttemptScores(of.defaultScoreKey, runtime.scoreRules);
    this.context = new AttemptContext(of, runtime, this.#book.score, this.#latency);
  }

  /** The scores so far, in order of first appearance. */
  scores(): Score[] {
    return this.#book.scores();
  }

  /** Number of calls of `ctx.score`; above 0 if the body graded by itself. */
  scoreCalls(): number {
    return this.#book.calls;
  }

  /** Adds scores that were not set through the context; same key replaces. */
  addScores(scores: readonly Score[]): void {
    this.#book.add(scores);
  }

  /** Seconds: what the evaluation set itself, else what was measured, else `null`. */
  latency(): number | null {
    return this.#latency.value;
  }

  /** Takes a measured latency, which yields to one that the evaluation has set or sets later. */
  measured(seconds: number): void {
    this.#latency.measure(seconds);
  }

  /** There is no latency, even if the evaluation sets one. */
  notTimed(): void {
    this.#latency.leaveOut();
  }

  /** The current arguments of evaluators. */
  evaluatorArgs(): EvaluatorArgs {
    return new AttemptArgs(this.context, this.#attempt);
  }
}

class AttemptArgs implements EvaluatorArgs {
  readonly input: unknown;
  readonly output: unknown;
  readonly reference: unknown;
  readonly expected: unknown;
  readonly metadata: Record<string, unknown>;
  readonly traceData: TraceData;
  readonly latency: number | null;
  readonly calls: readonly Call[];
  readonly modelCalls: readonly Call[];
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage;
  declare readonly signal: AbortSignal;
  declare readonly cost: () => Promise<number | null>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly #attempt: ContextRuntime['attempt'];

  constructor(context: EvalContext, attempt: ContextRuntime['attempt']) {
    this.input = context.input;
    this.output = context.output;
    this.reference = context.reference;
    this.expected = context.reference;
    this.metadata = context.metadata;
    this.traceData = context.traceData;
    this.latency = context.latency;
    this.params = context.params;
    this.#attempt = attempt;
    this.calls = context.calls;
    this.modelCalls = modelCallsOf(this.calls);
    this.toolCalls = toolCallsOf(this.calls);
    this.usage = context.usage;
    Object.defineProperties(this, AttemptArgs.#lazy);
  }

  /**
   * What is made only for those who look at it. Properties of each object, so that a copy has them too; one getter for
   * all, because V8 would keep each object with a getter of its own until the next full collection.
   */
  static readonly #lazy: PropertyDescriptorMap & ThisType<AttemptArgs> = {
    signal: {
      enumerable: true,
      get() {
        return this.#attempt.signal;
      },
    },
    cost: {
      enumerable: true,
      get() {
        const attempt = this.#attempt;
        return () => attempt.costSoFar();
      },
    },
  };
}

class AttemptContext implements EvalContext {
  readonly input: unknown;
  readonly reference: unknown;
  readonly expected: unknown;
  output: unknown;
  readonly score: ScoreFunction;
  readonly params: Readonly<Record<string, unknown>>;
  readonly runId: string;
  readonly runName: string;
  readonly sessionName: string;
  readonly evalPath: string;
  readonly functionName: string;
  readonly caseId: string | undefined;
  readonly dataset: string;
  readonly labels: readonly string[];
  readonly trial: number | undefined;
  readonly #attempt: ContextRuntime['attempt'];
  readonly #latency: Latency;
  #metadata: Record<string, unknown>;
  #traceData: TraceData;

  constructor(of: ContextCase, runtime: ContextRuntime, score: ScoreFunction, latency: Latency) {
    this.input = copyPlain(of.input);
    this.reference = copyPlain(of.reference);
    this.expected = this.reference;
    this.output = runtime.output;
    this.score = score;
    this.params = paramsInEffect(of.params, runtime.run.params);
    this.runId = runtime.run.runId;
    this.runName = runtime.run.runName;
    this.sessionName = runtime.run.sessionName;
    this.evalPath = runtime.evalPath;
    this.functionName = runtime.functionName;
    this.caseId = of.caseId;
    this.dataset = runtime.dataset;
    this.labels = of.labels;
    this.trial = runtime.trial;
    this.#attempt = runtime.attempt;
    this.#latency = latency;
    this.#metadata = copyPlain(of.metadata);
    this.#traceData = runtime.traceData;
  }

  get signal(): AbortSignal {
    return this.#attempt.signal;
  }

  get calls(): readonly Call[] {
    return callsAlone(this.#traced);
  }

  /** The calls and programs of target and body. */
  get #traced(): readonly Call[] {
    const calls = this.#attempt.callsSoFar;
    // Most attempts make none, and they have to be quick.
    if (calls.length === 0) return calls;
    return calls.filter(isOfEvaluation);
  }

  get modelCalls(): readonly Call[] {
    return modelCallsOf(this.calls);
  }

  get toolCalls(): readonly ToolCall[] {
    return toolCallsOf(this.calls);
  }

  get usage(): Usage {
    return usageOf(this.#traced) ?? (this.#attempt.seesCalls ? noUsage : cutOffUsage);
  }

  get metadata(): Record<string, unknown> {
    return this.#metadata;
  }

  set metadata(value: unknown) {
    this.#metadata = demandRecord('metadata', value);
  }

  get traceData(): TraceData {
    return this.#traceData;
  }

  set traceData(value: unknown) {
    this.#traceData = demandRecord('traceData', value);
  }

  get latency(): number | null {
    return this.#latency.value;
  }

  set latency(value: unknown) {
    this.#latency.set(value);
  }
}

class Latency {
  value: number | null = null;
  #isSet = false;
  #isLeftOut = false;

  measure(seconds: number): void {
    if (!this.#isSet) this.value = seconds;
  }

  set(value: unknown): void {
    if (value !== null && !(typeof value === 'number' && value >= 0 && Number.isFinite(value))) {
      throw new TypeError(
        `ctx.latency must be a number of seconds from 0, or null, not ${describeValue(value)}`,
      );
    }
    if (this.#isLeftOut) return;
    this.value = value;
    this.#isSet = value !== null; // null hands it back to the clock
  }

  leaveOut(): void {
    this.value = null;
    this.#isLeftOut = true;
  }
}

/** Those of a run over the defaults of an evaluation; the same object for all attempts, so nobody may change it. */
function paramsInEffect(defaults: JsonObject | undefined, ofRun: AnyParams): AnyParams {
  if (defaults === undefined) return ofRun;
  const byRun = inEffect.get(defaults) ?? new WeakMap<AnyParams, AnyParams>();
  inEffect.set(defaults, byRun);
  const params = byRun.get(ofRun) ?? Object.freeze({ ...defaults, ...ofRun });
  byRun.set(ofRun, params);
  return params;
}

/** By defaults and params of a run. */
const inEffect = new WeakMap<JsonObject, WeakMap<AnyParams, AnyParams>>();

function demandRecord(name: string, value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  throw new TypeError(`ctx.${name} must be an object, not ${describeValue(value)}`);
}
